import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../../src/kernel/errors.js';
import type { ReportEntry } from '../../../src/kernel/outcome-report.js';
import { parseMessage } from '../../../src/modules/events/outcome-intake/domain/reports/parse-message.js';
import { readReport } from '../../../src/modules/events/outcome-intake/domain/reports/read-report.js';
import { readOutcome } from '../../../src/modules/verification/outcomes/domain/read-outcome.js';
import { HOSTILE_MESSAGES } from '../../support/outcomes/hostile-messages.js';

const NOW = new Date('2026-11-20T12:00:00Z');
/** Of all threads, and other files run in them; what costs more than reading takes minutes. */
const MAX_CPU_MS = 6_000;
const MAX_ENTRIES = 1_000;

function entriesOf(message: Buffer): ReportEntry[] {
  try {
    return readReport(parseMessage(message));
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

describe('a hostile message costs no more than reading it', () => {
  it.each(Object.keys(HOSTILE_MESSAGES))('%s', (name) => {
    const message = Buffer.from(HOSTILE_MESSAGES[name]?.() ?? '', 'latin1');
    const start = process.cpuUsage();
    const entries = entriesOf(message);
    for (const entry of entries) if (!('message' in entry)) readOutcome(entry, NOW);
    const { user } = process.cpuUsage(start);
    expect(entries.length).toBeLessThanOrEqual(MAX_ENTRIES);
    expect(user / 1_000).toBeLessThan(MAX_CPU_MS);
  });
});
