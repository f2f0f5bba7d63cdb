import type { Clock } from '../../../kernel/clock.js';
import type { OutcomeReceipt } from '../../../modules/events/outcome-intake/outcome-intake.dto.js';
import { EX_DATAERR } from '../../exit-codes.js';
import { requireService, type ServiceClient } from '../../service-client.js';
import {
  isStandardInput,
  onInterruption,
  print,
  say,
  TemporaryFailure,
  UsageError,
  type Format,
} from '../../terminal.js';
import { RECEIPT } from '../receipts/receipt.js';
import { readLine, type LogOutcome } from './log-line.js';
import { defaultState, readPlace, writePlace, type LogPlace } from './log-place.js';
import { linesOfStream, LogReader, type LogChunk } from './log-reader.js';
import { LogSum } from './log-sum.js';

export interface LogOptions extends Format {
  url?: string;
  follow?: true;
  state?: string;
}

/** Ways of a test to drive the command. */
interface Driven {
  clock: Clock;
  /** Ends a log that is followed. */
  signal?: AbortSignal;
}

const MAX_OUTCOMES = 1_000;

/**
 * Sends the deliveries and bounces in a log of Postfix to a service. The place in the log is stored when the service
 * has accepted what is before it.
 */
export async function importPostfixLog(
  log: string,
  options: LogOptions,
  { clock, signal }: Driven,
): Promise<void> {
  const { follow = false } = options;
  if (isStandardInput(log) && (follow || options.state !== undefined))
    throw new UsageError('standard input has no place to go on from; name a file with --follow and --state');
  const state = options.state ?? (follow ? defaultState(log) : null);
  const sum = new LogSum();
  const release = onInterruption(() => {
    const next = state === null ? 'counts nothing twice' : 'goes on where this one ended';
    say(`interrupted; the same command ${next}. Until now:\n${sum.text()}`);
  });
  try {
    const service = requireService(options.url);
    const place = state === null ? null : await readPlace(state);
    const chunks = isStandardInput(log)
      ? linesOfStream(process.stdin, clock)
      : new LogReader(log, { clock, follow, place, say, signal }).read();
    await send(chunks, log, { service, sum, state });
    print(options, sum, () => sum.text());
    if (state === null && sum.sent.isUseless) process.exitCode = EX_DATAERR;
  } catch (error) {
    if (sum.toJSON().received > 0) say(`until the failure:\n${sum.text()}`);
    throw isStandardInput(log) ? new TemporaryFailure(error) : error;
  } finally {
    release();
  }
}

interface Target {
  service: ServiceClient;
  sum: LogSum;
  state: string | null;
}

async function send(chunks: AsyncIterable<LogChunk>, log: string, target: Target): Promise<void> {
  const { sum, state } = target;
  let batch: { outcome: LogOutcome; at: number }[] = [];
  let stored: LogPlace | null = null;
  for await (const { lines, latest, place, isLast } of chunks) {
    for (const { text, at } of lines) {
      const read = text === null ? 'too_long' : readLine(text, latest);
      sum.add(read);
      if (typeof read !== 'string') batch.push({ outcome: read, at });
    }
    if (batch.length < MAX_OUTCOMES && !isLast) continue;
    await post(batch, log, target);
    batch = [];
    if (state === null || place === null || isSame(place, stored)) continue;
    await writePlace(state, place);
    stored = place;
  }
}

async function post(
  batch: readonly { outcome: LogOutcome; at: number }[],
  log: string,
  { service, sum }: Target,
): Promise<void> {
  if (batch.length === 0) return;
  const body = batch.map(({ outcome }) => `${JSON.stringify(outcome)}\n`).join('');
  const response = await service.requestUntil('/v1/outcomes', {
    init: () => ({ method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body }),
    status: 200,
    say,
  });
  const name = isStandardInput(log) ? 'standard input' : log;
  sum.sent.add(
    await service.answer<OutcomeReceipt>(response, RECEIPT),
    (index) => `${name}, byte ${batch[index]?.at ?? 0}`,
  );
}

function isSame(one: LogPlace, other: LogPlace | null): boolean {
  return one.offset === other?.offset && one.inode === other.inode && one.first_line === other.first_line;
}
