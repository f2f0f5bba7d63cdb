import { SystemClock } from '../../platform/time/system-clock.js';
import type { OutcomeReceipt } from '../../modules/events/outcome-intake/outcome-intake.dto.js';
import { EX_DATAERR } from '../exit-codes.js';
import { requireService, ServiceRefusal, type ServiceClient } from '../service-client.js';
import { isStandardInput, onInterruption, print, say, TemporaryFailure, UsageError } from '../terminal.js';
import { ImportSum } from './receipts/import-sum.js';
import { filesOf } from './input-files.js';
import { partsOf, type InputPart } from './input-parts.js';
import { importPostfixLog, type LogOptions } from './postfix-log/import-log.js';
import { RECEIPT } from './receipts/receipt.js';

interface Options extends LogOptions {
  postfixLog?: string;
}

/** Requests at a time; a mailbox has one message in each. */
const CONCURRENCY = 4;
const UNREADABLE = [400, 413];

/** @throws UsageError */
export async function importOutcomes(input: string | undefined, options: Options): Promise<void> {
  const { postfixLog, follow, state } = options;
  if (postfixLog !== undefined && input !== undefined)
    throw new UsageError('name one input: a file, or a log with --postfix-log');
  if (postfixLog !== undefined) return importPostfixLog(postfixLog, options, { clock: new SystemClock() });
  if (follow === true || state !== undefined)
    throw new UsageError('--follow and --state need a log that is named with --postfix-log');
  if (input === undefined)
    throw new UsageError('name a file, a directory, - for standard input, or a log with --postfix-log');
  return importFiles(input, options);
}

/** Sends what became of mails to a service. What it stored before is a duplicate, so an import can be repeated. */
async function importFiles(input: string, options: Options): Promise<void> {
  const sum = new ImportSum();
  const release = onInterruption(() => {
    say(`interrupted; run the same command again, which counts nothing twice. Until now:\n${sum.text()}`);
  });
  try {
    const hasLists = await send(input, requireService(options.url), sum);
    print(options, sum, () => sum.text());
    if (hasLists && sum.isUseless) process.exitCode = EX_DATAERR;
  } catch (error) {
    if (sum.toJSON().received > 0) say(`until the failure:\n${sum.text()}`);
    // A mail server keeps the message, and runs the command again.
    throw isStandardInput(input) ? new TemporaryFailure(error) : error;
  } finally {
    release();
  }
}

/** @returns whether the input had lists. */
async function send(input: string, service: ServiceClient, sum: ImportSum): Promise<boolean> {
  const underWay = new Set<Promise<void>>();
  let hasLists = false;
  let failure: { error: unknown } | null = null;
  const start = (part: InputPart) => {
    const request = sendPart(service, part, sum)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => underWay.delete(request));
    underWay.add(request);
  };
  reading: for await (const file of filesOf(input))
    for await (const part of partsOf(file)) {
      hasLists ||= part.contentType !== 'message/rfc822';
      start(part);
      if (underWay.size === CONCURRENCY) await Promise.race(underWay);
      if (failure !== null) break reading;
    }
  await Promise.all(underWay);
  if (failure !== null) throw (failure as { error: unknown }).error;
  return hasLists;
}

async function sendPart(
  service: ServiceClient,
  { contentType, body, where }: InputPart,
  sum: ImportSum,
): Promise<void> {
  if (body === null) {
    sum.addUnreadable('payload_too_large', 'A message may have at most 5 MB.', where(0));
    return;
  }
  try {
    const response = await service.requestUntil('/v1/outcomes', {
      init: () => ({ method: 'POST', headers: { 'content-type': contentType }, body }),
      status: 200,
      say,
    });
    sum.add(await service.answer<OutcomeReceipt>(response, RECEIPT), where);
  } catch (error) {
    if (!(error instanceof ServiceRefusal) || error.problem === null || !UNREADABLE.includes(error.status))
      throw error;
    if (contentType !== 'message/rfc822')
      throw new UsageError(`${where(0)} and the following: ${withoutColumns(error.message)}`);
    sum.addUnreadable(error.problem.code, error.problem.detail, where(0));
  }
}

/** Other columns than `email` cannot be named here. */
function withoutColumns(message: string): string {
  return message.replace('Name one with --column.', 'Name the one with the addresses email.');
}
