import { expect } from '@jest/globals';
import assert from 'node:assert/strict';
import type { ReportEntry } from '../../../src/kernel/outcome-report.js';
import { parseMessage } from '../../../src/modules/events/outcome-intake/domain/reports/parse-message.js';
import { readReport } from '../../../src/modules/events/outcome-intake/domain/reports/read-report.js';
import { readOutcome } from '../../../src/modules/verification/outcomes/domain/read-outcome.js';
import { aTextMessage, type Envelope } from './text-message.js';

const NOW = new Date('2026-11-20T12:00:00Z');

/** What a message reports. */
export const read = (message: string): ReportEntry[] => readReport(parseMessage(Buffer.from(message)));
export const readText = (lines: readonly string[], envelope?: Envelope): ReportEntry[] =>
  read(aTextMessage(lines.join('\n'), envelope));

/** For each recipient: `hard`, or the category of a bounce that is not; for others why they are ignored. */
export function readingsOf(entries: readonly ReportEntry[]): [string, string | null][] {
  return entries.map((entry) => {
    if ('message' in entry) return ['', entry.code];
    const outcome = readOutcome(entry, NOW);
    assert(!('message' in outcome));
    expect(entry.outcome).toBe('bounced');
    return [entry.email, outcome.isHard ? 'hard' : outcome.category];
  });
}
