import { Injectable } from '@nestjs/common';
import { setTimeout } from 'node:timers/promises';
import { targetError, TargetPolicy } from '../../../../kernel/target.js';
import { FetchFailure, SafeFetch, type OpenReply } from '../../../../platform/net/safe-fetch.js';
import { RunFailure } from '../domain/failure.js';
import { SOURCE_WORDS } from '../domain/schedule.js';
import { SourceLimits } from '../domain/source-limits.js';
import { parsedUrl } from '../../../../kernel/text/parsed-url.js';

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
const USER_AGENT = 'Rcpt-Schedules/1';

/** A request to the source of a schedule. */
interface SourceRequest {
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** Absent: GET. */
  change?: undefined | { method: 'PUT' | 'PATCH'; body: unknown };
}

/** Requests to sources, with the address policy of webhooks for each of them and each redirect. */
@Injectable()
export class SourceRequests {
  constructor(
    private readonly net: SafeFetch,
    private readonly policy: TargetPolicy,
    readonly limits: SourceLimits,
  ) {}

  /**
   * Follows redirects of GET. Other hosts do not get the headers.
   *
   * @returns a response that the caller must close. @throws RunFailure
   */
  async open({ url, headers, change }: SourceRequest, signal: AbortSignal): Promise<OpenReply> {
    let target = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const own = target.origin === url.origin ? headers : {};
      const reply = await this.request({ url: target, headers: own, change }, signal);
      if (!REDIRECTS.includes(reply.statusCode)) return reply;
      reply.close();
      const { location = '' } = reply.headers;
      if (change !== undefined || parsedUrl(location, target.href) === null) throw new RunFailure('redirect');
      target = new URL(location, target);
      target.hash = '';
    }
    throw new RunFailure('redirect');
  }

  private async request({ url, headers, change }: SourceRequest, signal: AbortSignal): Promise<OpenReply> {
    // The policy may have changed since the schedule was created, and a redirect has not been checked.
    if (targetError(url.href, this.policy, SOURCE_WORDS) !== null)
      throw new RunFailure('address_not_allowed');
    const all = { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...lowerCase(headers) };
    const outgoing =
      change === undefined
        ? { method: 'GET' as const, headers: all, body: '' }
        : {
            method: change.method,
            headers: { ...all, 'content-type': 'application/json' },
            body: JSON.stringify(change.body),
          };
    try {
      const reply = await this.net.open(url, outgoing, signal);
      return { ...reply, body: readable(reply) };
    } catch (error) {
      throw asRunFailure(error);
    }
  }
}

/** Closes a response that is not 200. @throws RunFailure */
export function requireOk({ statusCode, close }: OpenReply): void {
  if (statusCode === 200) return;
  close();
  throw failureOf(statusCode);
}

/** @throws RunFailure in place of the failures of the network. */
async function* readable({ body, close }: OpenReply): AsyncGenerator<Buffer, void> {
  try {
    yield* body;
  } catch (error) {
    throw asRunFailure(error);
  } finally {
    close();
  }
}

/** Counts what a source sends in all its responses to one reading, and how fast. */
export class SourceBytes {
  private received = 0;
  /** Of the current measurement: how long the source was waited for, and what it had sent when that began. */
  private waitedMs = 0;
  private before = 0;

  /** @param max bytes of all responses. */
  constructor(
    private readonly slow: SourceLimits['slow'],
    private readonly max: number,
  ) {}

  /** @throws RunFailure */
  add(bytes: number): void {
    this.received += bytes;
    if (this.received > this.max) throw new RunFailure('too_large');
  }

  /** Waits for what the source sends next. @throws RunFailure when it is too slow */
  async wait<T>(next: Promise<T>): Promise<T> {
    next.catch(() => undefined);
    for (;;) {
      const start = performance.now();
      const timer = new AbortController();
      const left = Math.max(this.slow.ms - this.waitedMs, 0);
      const isOver = setTimeout(left, true, { signal: timer.signal }).then(
        () => OVER,
        () => OVER,
      );
      try {
        const first = await Promise.race([next, isOver]);
        this.waitedMs += performance.now() - start;
        if (first !== OVER) return first as T;
      } finally {
        timer.abort();
      }
      if (this.received - this.before < this.slow.bytes) throw new RunFailure('too_slow');
      this.waitedMs = 0;
      this.before = this.received;
    }
  }
}

const OVER = Symbol('the time of a measurement is over');

/** The items, each of which is waited for as the rate of the source allows. */
export async function* atItsRate<Item>(
  items: AsyncIterable<Item>,
  bytes: SourceBytes,
): AsyncGenerator<Item, void> {
  const iterator = items[Symbol.asyncIterator]();
  let isDone = false;
  try {
    for (;;) {
      const next = await bytes.wait(iterator.next());
      if (next.done === true) {
        isDone = true;
        return;
      }
      yield next.value;
    }
  } finally {
    // Not waited for: what has not come yet may never come.
    if (!isDone) void iterator.return?.(undefined)?.catch(() => undefined);
  }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function failureOf(statusCode: number): RunFailure {
  if (statusCode === 401 || statusCode === 403) return new RunFailure('unauthorized');
  if (statusCode === 404 || statusCode === 410) return new RunFailure('not_found');
  return new RunFailure('http_status', statusCode === 429 || statusCode >= 500);
}

function asRunFailure(error: unknown): unknown {
  if (!(error instanceof FetchFailure)) return error;
  const { kind } = error;
  if (kind === 'address_not_allowed' || kind === 'tls') return new RunFailure(kind);
  return new RunFailure(kind === 'protocol' ? 'connection' : kind, true);
}
