import type { Clock } from '../../../kernel/clock.js';
import { FetchFailure, type Reply, type SafeFetch } from '../../../platform/net/safe-fetch.js';
import type { AttemptError, Outcome } from '../domain/delivery.js';
import { faultOfTarget, type TargetPolicy } from '../domain/target.js';
import { WebhookSender } from '../domain/webhook-sender.js';

const TIMEOUT_MS = 15_000;
const MOST_READ_BYTES = 20_000;
/** Enough to see what a receiver complained of; there are many of them on a page. */
const EXCERPT_LENGTH = 2_000;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Rcpt-Webhooks/1', accept: '*/*' };

export class HttpWebhookSender extends WebhookSender {
  constructor(
    private readonly net: SafeFetch,
    private readonly policy: TargetPolicy,
    private readonly clock: Clock,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    super();
  }

  async post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Outcome> {
    const begun = this.clock.monotonicMs();
    const came = (outcome: Omit<Outcome, 'durationMs'>): Outcome => ({
      ...outcome,
      durationMs: Math.round(this.clock.monotonicMs() - begun),
    });
    // What was allowed when it was registered may not be any more.
    if (faultOfTarget(url, this.policy) !== null) return came(unanswered('address_not_allowed'));
    try {
      const all = { ...HEADERS, ...headers };
      const reply = await this.net.post(new URL(url), all, body, MOST_READ_BYTES, this.timeoutMs);
      return came(answered(reply, this.clock.now()));
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error;
      return came(unanswered(error.fault));
    }
  }
}

function unanswered(error: AttemptError): Omit<Outcome, 'durationMs'> {
  return { statusCode: null, error, excerpt: null, retryAfter: null };
}

function answered({ statusCode, retryAfter, body }: Reply, now: Date): Omit<Outcome, 'durationMs'> {
  return {
    statusCode,
    error: errorOf(statusCode),
    excerpt: excerptOf(body),
    retryAfter: retryAfter === null ? null : secondsOf(retryAfter, now),
  };
}

function errorOf(statusCode: number): AttemptError | null {
  if (statusCode >= 200 && statusCode <= 299) return null;
  return statusCode >= 300 && statusCode <= 399 ? 'redirect' : 'http_status';
}

/** Cut between characters, never within one: half of one cannot be stored. */
function excerptOf(body: Buffer): string | null {
  const text = [...body.toString('utf8').replaceAll(/\p{Cc}+/gu, ' ')].slice(0, EXCERPT_LENGTH).join('');
  return text === '' ? null : text;
}

/** Seconds, or a date (RFC 9110 §10.2.3); null: neither. */
function secondsOf(retryAfter: string, now: Date): number | null {
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? null : Math.max(0, (until - now.getTime()) / 1000);
}
