import { setMaxListeners } from 'node:events';
import { Lifecycle } from '../../kernel/service-state/lifecycle.js';
import type { SmtpStage, Verdict as EngineVerdict } from '../../kernel/verdict.js';
import { SystemClock } from '../../platform/time/system-clock.js';
import { mapConcurrently } from '../../kernel/concurrency/map-concurrently.js';
import { canonicalEmail } from '../address/canonical-email.js';
import { composeEngine } from '../compose.js';
import { PackagedListFiles } from '../lists/adapters/packaged-lists.js';
import { explainReply, type ReplyExplanation } from '../replies/reply-explanation.js';
import { checkCall, checkList, checkStage, checkText } from './call-options.js';
import { configOf } from './engine-config.js';
import type { EngineOptions } from './engine-options.js';
import { NoMeter } from './no-meter.js';

export type { ReplyExplanation } from '../replies/reply-explanation.js';
export type { EngineOptions } from './engine-options.js';

export interface Verdict extends EngineVerdict {
  /**
   * The mailbox that the spelling leads to, to find a person twice, never to send to; null: the rule of the provider
   * is not known.
   */
  canonicalEmail: string | null;
}

export interface VerifyOptions {
  /** Timeout of one address; default: 10,000, in lists 180,000. */
  timeoutMs?: number;
  /** Ends it: the call rejects with the reason of the signal. */
  signal?: AbortSignal;
}

export interface VerifyManyOptions extends VerifyOptions {
  /** Concurrent addresses; those above the limits of a server wait for a session. Default: 50. */
  concurrency?: number;
}

export interface ExplainOptions {
  /** The command of the reply; default: `rcpt`. */
  stage?: SmtpStage;
  /** As in `dns.provider` of a verdict. */
  provider?: string | null;
}

/** The engine of the service, without a service: no team, no database, no configuration but its options. */
export interface VerificationEngine {
  /** A text that is no address gets a verdict too; failures of the network are verdicts. */
  verify(email: string, options?: VerifyOptions): Promise<Verdict>;
  /** Verdicts as they complete, at the pace of the consumer. */
  verifyMany(
    emails: AsyncIterable<string> | Iterable<string>,
    options?: VerifyManyOptions,
  ): AsyncIterableIterator<Verdict>;
  /** How a reply of a mail server (`550 5.1.1 User unknown`) is classified; null: it does not begin with a code. */
  explain(reply: string, options?: ExplainOptions): ReplyExplanation | null;
  /** Closes all connections. Running calls and calls after it reject. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const LIST_TIMEOUT_MS = 180_000;
const CONCURRENCY = 50;
const RULES = { roleIsRisky: false };

/** @throws TypeError that names an invalid option and says what to write instead. */
export function createEngine(options: EngineOptions = {}): VerificationEngine {
  const composed = composeEngine({
    config: configOf(options),
    clock: new SystemClock(),
    meter: new NoMeter(),
    lifecycle: new Lifecycle(),
    lists: new PackagedListFiles(),
    shared: null,
  });
  const closing = new AbortController();
  // Every running call has a listener.
  setMaxListeners(0, closing.signal);

  const endingWith = (signal: AbortSignal | undefined) =>
    signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);
  const check = async (
    email: string,
    priority: 'single' | 'list',
    timeoutMs: number,
    signal: AbortSignal,
  ) => {
    signal.throwIfAborted();
    const verdict = await composed.engine.check(email, timeoutMs, RULES, { team: '', priority }, signal);
    signal.throwIfAborted();
    return { ...verdict, canonicalEmail: canonicalEmail(verdict) };
  };

  return {
    verify: async (email, options) => {
      const { timeoutMs = TIMEOUT_MS, signal } = options ?? {};
      checkText('verify', email, 'an address');
      checkCall('verify', { timeoutMs, signal });
      return check(email, 'single', timeoutMs, endingWith(signal));
    },
    verifyMany: async function* (emails, options) {
      const { timeoutMs = LIST_TIMEOUT_MS, concurrency = CONCURRENCY, signal } = options ?? {};
      checkList('verifyMany', emails);
      checkCall('verifyMany', { timeoutMs, signal, concurrency });
      const end = endingWith(signal);
      const checkNext = async (email: string) => {
        checkText('verifyMany', email, 'each address');
        return check(email, 'list', timeoutMs, end);
      };
      yield* mapConcurrently(emails, concurrency, checkNext, end);
    },
    explain: (text, options) => {
      const { stage = 'rcpt', provider = null } = options ?? {};
      closing.signal.throwIfAborted();
      checkText('explain', text, 'a reply');
      checkStage(stage);
      return explainReply({ text, stage, provider, recipient: '' });
    },
    close: async () => {
      closing.abort(new Error('The engine is closed'));
      await composed.close();
    },
  };
}
