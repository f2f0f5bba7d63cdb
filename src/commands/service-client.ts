import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { printable } from '../kernel/text/printable.js';
import { readServiceAccess } from '../platform/config/service-access.js';
import { fileSentence, hostSentence } from './error-sentences.js';
import { inCommandTerms, MALFORMED_LIST, UsageError } from './terminal.js';
import { parsedUrl } from '../kernel/text/parsed-url.js';

/** Statuses that are retried if the response has `Retry-After`. */
const RETRIED_STATUSES = [409, 429, 503];
/** Longer than a service waits for an interrupted upload (10 min). */
const MAX_WAIT_MS = 660_000;

/** Of a response that is not a list. The largest is a page of results. */
const MAX_ANSWER_BYTES = 100_000_000;

interface RetriedRequest {
  /** Called for every attempt: a body can be sent once. */
  init: () => RequestInit & { duplex?: 'half' };
  status: number;
  say: (sentence: string) => void;
}

interface Problem {
  code: string;
  detail: string;
  errors?: readonly { pointer: string; code: string }[] | undefined;
  [member: string]: unknown;
}

export class ServiceRefusal extends UsageError {
  override readonly isAboutData: boolean;

  constructor(
    readonly status: number,
    message: string,
    /** null: the response is not one of Rcpt. */
    readonly problem: Problem | null = null,
  ) {
    super(message);
    this.isAboutData = problem?.code === MALFORMED_LIST;
  }
}

/** Requests to a running service with a key. Errors are sentences that name the host. */
export class ServiceClient {
  private readonly host: string;

  constructor(
    readonly url: string,
    private readonly apiKey: string,
    readonly pause: (ms: number) => Promise<unknown> = sleep,
  ) {
    this.host = new URL(url).host;
  }

  /** Nothing is charged. */
  get isTest(): boolean {
    return this.apiKey.startsWith('rcpt_test_');
  }

  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.apiKey}`, ...(init.headers as Record<string, string>) };
    try {
      return await fetch(`${this.url}${path}`, { ...init, headers });
    } catch (error) {
      throw this.asSentence(error);
    }
  }

  /** Repeats the request after `Retry-After`, for some minutes. @throws ServiceRefusal */
  async requestUntil(path: string, { init, status, say }: RetriedRequest): Promise<Response> {
    const startMs = performance.now();
    for (;;) {
      const attempt = new AbortController();
      const response = await this.request(path, { ...init(), signal: attempt.signal });
      if (response.status === status) return response;
      const seconds = Number(response.headers.get('retry-after') ?? NaN);
      const isRetried = RETRIED_STATUSES.includes(response.status) && seconds >= 0;
      const refusal = await this.refusalOf(response);
      // The rest of the body is not sent.
      attempt.abort();
      if (!isRetried || performance.now() - startMs + seconds * 1_000 > MAX_WAIT_MS) throw refusal;
      say(`${refusal.message} Trying again in ${seconds} s.`);
      await this.pause(seconds * 1_000);
    }
  }

  /** The JSON of a response. @throws ServiceRefusal if it has not these members: another server has answered. */
  async answer<T extends object>(response: Response, shape: Shape<T> = {}): Promise<T> {
    const answer = parsed(await this.textOf(response));
    if (!hasShape(answer, shape)) throw this.notRcpt(response.status);
    return answer as T;
  }

  /** What the service reports instead of a result (RFC 9457). @returns null: the response is not one of Rcpt. */
  async problemOf(response: Response): Promise<Problem | null> {
    const answer = parsed(await this.textOf(response).catch(() => ''));
    if (!hasShape(answer, { code: 'string' })) return null;
    const { detail = 'the service refused', ...problem } = answer as Partial<Problem> & { code: string };
    return { ...problem, detail: String(detail) };
  }

  async refusalOf(response: Response): Promise<Error> {
    const { status } = response;
    const problem = await this.problemOf(response);
    if (problem === null) return this.notRcpt(status);
    const help = status === 401 ? ' Set RCPT_API_KEY to a valid key of this service.' : '';
    const code = printable(problem.code);
    const detail = inCommandTerms(printable(problem.detail));
    const message = `${status} ${code}: ${detail}${help}`;
    return status < 500
      ? new ServiceRefusal(status, message, { ...problem, code, detail })
      : new Error(message);
  }

  notRcpt(status: number): ServiceRefusal {
    return new ServiceRefusal(
      status,
      `${this.host} responds with ${status}, and is not Rcpt; check --url or RCPT_URL`,
    );
  }

  /** The bytes of a response. @throws a sentence when there are more, or when they end early. */
  async *bytesOf(response: Response, maxBytes: number): AsyncGenerator<Buffer, void, undefined> {
    if (response.body === null) return;
    let length = 0;
    const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>) as AsyncIterable<Buffer>;
    try {
      for await (const chunk of body) {
        if ((length += chunk.length) > maxBytes) break;
        yield chunk;
      }
    } catch (error) {
      throw this.asSentence(error);
    }
    if (length > maxBytes)
      throw new Error(
        `${this.host} sends more than ${Math.ceil(maxBytes / 1_000_000)} MB, which is no response of Rcpt; check --url or RCPT_URL`,
      );
  }

  private async textOf(response: Response): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.bytesOf(response, MAX_ANSWER_BYTES)) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }

  /** For an error of `request`, or of reading its body. */
  asSentence(error: unknown): Error {
    const { cause } = error as { cause?: unknown };
    const file = fileSentence(cause ?? error);
    if (file !== null) return new UsageError(file);
    return new Error(`${hostSentence(error, this.host)}. ${WHAT_TO_DO}`);
  }
}

/** The types of members that a command uses; of an array, that of its entries. */
export type Shape<T> = { [Name in keyof T]?: 'string' | 'number' | Shape<T[Name]> | [object] };

function hasShape(value: unknown, shape: object): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Record<string, unknown>;
  return Object.entries(shape).every(([name, expected]: [string, unknown]) => {
    const member = members[name];
    if (typeof expected === 'string') return typeof member === expected;
    if (!Array.isArray(expected)) return hasShape(member, expected as object);
    const [entry] = expected as [object];
    return Array.isArray(member) && member.every((each) => hasShape(each, entry));
  });
}

/** @returns null for a text that is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const WHAT_TO_DO = 'Check --url or RCPT_URL and that the service runs; then run the same command again.';

/** The service that an option or the environment names; null: none. @throws UsageError */
export function serviceOf(named: string | undefined): ServiceClient | null {
  const { url, apiKey } = readServiceAccess();
  const service = named ?? url;
  if (service === null) return null;
  if (apiKey === null) throw new UsageError('set RCPT_API_KEY to a key of that service');
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new UsageError('RCPT_API_KEY is not a valid key; keys start with rcpt_live_ or rcpt_test_');
  return new ServiceClient(parseServiceUrl(service), apiKey);
}

/** @throws UsageError also if there is none. */
export function requireService(named: string | undefined): ServiceClient {
  const service = serviceOf(named);
  if (service === null) throw new UsageError('name the service with --url or RCPT_URL');
  return service;
}

/** A query without the parameters that are not set. */
export function queryOf(
  parameters: Readonly<Record<string, string | number | boolean | null | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== null) query.set(name, String(value));
  return query.toString().replaceAll('+', '%20');
}

/** What may be copied with the URL. */
const PATHS_OF_RCPT = /\/(v1|console|docs|openapi\.json)(\/.*)?$/;

/** @returns the URL without a slash at its end. @throws UsageError */
export function parseServiceUrl(text: string): string {
  const url = parsedUrl(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${text} is no URL of a service; write one such as https://verify.example.org`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError('a URL may contain no user and no password; set RCPT_API_KEY to the key');
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  const [path = ''] = PATHS_OF_RCPT.exec(base) ?? [];
  if (path !== '')
    throw new UsageError(
      `${path} is a part of the service; write ${base.slice(0, -path.length)} for ${text}`,
    );
  return base;
}
