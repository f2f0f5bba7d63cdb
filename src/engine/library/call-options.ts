import { SMTP_STAGES } from '../../kernel/verdict.js';

/** Programs without types call the library too: each wrong argument gets a sentence, before anything is done. */

/** The longest timer of the runtime. */
const MAX_TIMEOUT_MS = 2_147_483_647;

interface CallOptions {
  timeoutMs: number;
  signal: AbortSignal | undefined;
  concurrency?: number;
}

/** @throws TypeError */
export function checkCall(call: string, options: CallOptions): void {
  const { timeoutMs, signal, concurrency = 1 } = options;
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS))
    throw new TypeError(
      `${call}: timeoutMs must be a number of milliseconds, above 0 and at most ${MAX_TIMEOUT_MS}`,
    );
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError(`${call}: signal must be an AbortSignal`);
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new TypeError(`${call}: concurrency must be a whole number, at least 1`);
}

/** @throws TypeError */
export function checkText(call: string, text: unknown, what: string): void {
  if (typeof text !== 'string') throw new TypeError(`${call} takes ${what} as text, not ${kindOf(text)}`);
}

/** @throws TypeError */
export function checkList(call: string, emails: unknown): void {
  const isList =
    typeof emails === 'object' &&
    emails !== null &&
    (Symbol.asyncIterator in emails || Symbol.iterator in emails);
  if (!isList)
    throw new TypeError(`${call} takes an array or another iterable of addresses, not ${kindOf(emails)}`);
}

/** @throws TypeError */
export function checkStage(stage: string): void {
  if (!(SMTP_STAGES as readonly string[]).includes(stage))
    throw new TypeError(`explain: stage must be one of ${SMTP_STAGES.join(', ')}`);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'string' ? 'a text' : `a value of type ${typeof value}`;
}
