import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { targetError, TargetPolicy } from '../../../../kernel/target.js';
import { FetchFailure, SafeFetch, type Reply } from '../../../../platform/net/safe-fetch.js';
import { type AttemptError, type Outcome } from '../domain/delivery.js';
import { RECEIVER_WORDS } from '../domain/webhook.js';
import { WebhookSender } from '../domain/webhook-sender.js';

const TIMEOUT_MS = 15_000;
const MAX_READ_BYTES = 20_000;
/** Enough to diagnose an error of the receiver. It is stored with the delivery, which every call of a team may create. */
const EXCERPT_BYTES = 500;
/** Control characters, and those that change the direction of the text around them. */
const INVISIBLE = /[\p{Cc}\p{Cf}]+/gu;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Rcpt-Webhooks/1', accept: '*/*' };

@Injectable()
export class HttpWebhookSender extends WebhookSender {
  constructor(
    private readonly net: SafeFetch,
    private readonly policy: TargetPolicy,
    private readonly clock: Clock,
  ) {
    super();
  }

  async post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Outcome> {
    const begun = this.clock.monotonicMs();
    const toOutcome = (outcome: Omit<Outcome, 'durationMs'>): Outcome => ({
      ...outcome,
      durationMs: Math.round(this.clock.monotonicMs() - begun),
    });
    // The policy may have changed since the registration.
    if (targetError(url, this.policy, RECEIVER_WORDS) !== null)
      return toOutcome(failed('address_not_allowed'));
    try {
      const all = { ...HEADERS, ...headers };
      const reply = await this.net.post(new URL(url), all, body, MAX_READ_BYTES, TIMEOUT_MS);
      return toOutcome(responded(reply, this.clock.now()));
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error;
      return toOutcome(failed(error.kind));
    }
  }
}

function failed(error: AttemptError): Omit<Outcome, 'durationMs'> {
  return { statusCode: null, error, excerpt: null, retryAfter: null };
}

function responded({ statusCode, retryAfter, body }: Reply, now: Date): Omit<Outcome, 'durationMs'> {
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

/** Truncates between characters: half a character cannot be stored. */
function excerptOf(body: Buffer): string | null {
  let text = '';
  let bytes = 0;
  for (const character of body.toString('utf8').replaceAll(INVISIBLE, ' ')) {
    bytes += Buffer.byteLength(character);
    if (bytes > EXCERPT_BYTES) break;
    text += character;
  }
  return text === '' ? null : text;
}

/** Parses `Retry-After`: seconds or a date (RFC 9110 §10.2.3); null: neither. */
function secondsOf(retryAfter: string, now: Date): number | null {
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? null : Math.max(0, (until - now.getTime()) / 1000);
}
