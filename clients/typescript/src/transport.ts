import {
  ApiConnectionError,
  ApiError,
  ApiTimeoutError,
  errorOf,
  isTransient,
  RcptError,
  UnexpectedResponseError,
} from './errors.js';

export const VERSION = '0.3.0';
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
/** More than the largest response, a page of results. */
const MAX_BODY_BYTES = 100_000_000;
/** Keys for web pages. They may send no other headers. */
const PUBLISHABLE_PREFIX = 'rcpt_pub_';

export interface RequestOptions {
  /** Cancels the call, also between retries. */
  signal?: AbortSignal | undefined;
  /** The time of one attempt, until the end of the response. */
  timeoutMs?: number | undefined;
  /** For a POST; default: a new UUID, the same for all its retries. */
  idempotencyKey?: string | undefined;
}

export interface ApiRequest extends RequestOptions {
  method: string;
  path: string;
  query?: Readonly<Record<string, unknown>> | undefined;
  /** Called for every attempt; the signal is aborted when it has ended. */
  body?: ((attempt: AbortSignal) => RequestBody | Promise<RequestBody>) | undefined;
  /** The body can be opened once. */
  onlyOnce?: boolean;
}

export interface RequestBody {
  contentType: string;
  content: NonNullable<RequestInit['body']>;
}

export interface TransportOptions {
  baseUrl: string;
  apiKey: string;
  timeoutMs: number;
  maxRetries: number;
  /** Seconds; an error with a longer `Retry-After` is thrown at once. */
  maxRetryAfter: number;
  fetch: typeof fetch;
  /** Waits, until the signal is aborted at most. */
  pause?: typeof pause;
}

/** Browsers forbid some headers and send no streams. */
export function isBrowser(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return navigator?.userAgent?.startsWith('Mozilla/') ?? false;
}

export const json = (value: unknown) => (): RequestBody => ({
  contentType: 'application/json',
  content: JSON.stringify(value),
});

/** Sends requests, with time-outs, retries and idempotency keys. */
export class Transport {
  // A private field, so that the key is neither serialized nor shown in a console.
  readonly #apiKey: string;
  readonly #options: Omit<TransportOptions, 'apiKey'>;

  constructor({ apiKey, ...options }: TransportOptions) {
    this.#apiKey = apiKey;
    this.#options = options;
  }

  get pause(): typeof pause {
    return this.#options.pause ?? pause;
  }

  /** Scheme, host and port for errors. A URL may contain an address. */
  get #origin(): string {
    return new URL(this.#options.baseUrl).origin;
  }

  /** @returns the JSON of the response; undefined: it has no content. @throws RcptError */
  async call(request: ApiRequest): Promise<unknown> {
    checkPath(request.path);
    const { maxRetries } = this.#options;
    const retries = request.onlyOnce === true ? 0 : maxRetries;
    const headers = this.#headersOf(request);
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(request, new Headers(headers));
      } catch (error) {
        if (attempt >= retries || !isTransient(error)) throw error;
        const seconds = retryAfterOf(error) ?? 0;
        if (seconds > this.#longestWait(request, error)) throw error;
        await this.pause(Math.max(seconds * 1_000, backoffMs(attempt)), request.signal);
      }
    }
  }

  /** Seconds. A caller that waits some seconds for a verdict does not wait a minute for a quota. */
  #longestWait({ timeoutMs = this.#options.timeoutMs }: ApiRequest, error: unknown): number {
    const { maxRetryAfter } = this.#options;
    const isLimit = (error as { status?: number }).status === 429;
    return isLimit ? Math.min(maxRetryAfter, timeoutMs / 1_000) : maxRetryAfter;
  }

  #headersOf({ method, idempotencyKey }: ApiRequest): Record<string, string> {
    const headers: Record<string, string> = {
      authorization: `Bearer ${this.#apiKey}`,
      accept: 'application/json',
    };
    if (!isBrowser()) headers['user-agent'] = `rcpt-typescript/${VERSION}`;
    if (method === 'POST' && !this.#apiKey.startsWith(PUBLISHABLE_PREFIX))
      headers['idempotency-key'] = idempotencyKey ?? crypto.randomUUID();
    return headers;
  }

  async #attempt(request: ApiRequest, headers: Headers): Promise<unknown> {
    const { method, path, query = {}, signal, timeoutMs = this.#options.timeoutMs } = request;
    signal?.throwIfAborted();
    const controller = new AbortController();
    const timeout = new ApiTimeoutError(`There was no response of ${this.#origin} within ${timeoutMs} ms.`);
    const timer = setTimeout(() => controller.abort(timeout), timeoutMs);
    const abort = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      const body = await request.body?.(controller.signal);
      if (body !== undefined) headers.set('content-type', body.contentType);
      const init = {
        method,
        headers,
        body: body?.content ?? null,
        signal: controller.signal,
        // The key is for this server only.
        redirect: 'manual' as const,
        // Required for a stream.
        duplex: 'half' as const,
      };
      const response = await this.#options.fetch(this.#options.baseUrl + path + queryString(query), init);
      const text = await this.#textOf(response);
      return resultOf(response, text);
    } catch (error) {
      if (error instanceof RcptError) throw error;
      if (controller.signal.aborted) throw controller.signal.reason;
      throw connectionError(error, this.#origin);
    } finally {
      clearTimeout(timer);
      // After an early response the rest of the body is not sent.
      controller.abort();
      signal?.removeEventListener('abort', abort);
    }
  }

  /** @throws RcptError if it is too long. */
  async #textOf(response: Response): Promise<string> {
    const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
    const decoder = new TextDecoder();
    let text = '';
    let length = 0;
    for (;;) {
      const { value } = (await reader?.read()) ?? {};
      if (value === undefined) return text + decoder.decode();
      length += value.length;
      if (length > MAX_BODY_BYTES)
        throw new RcptError(`The response of ${this.#origin} is longer than 100 MB. Check the base URL.`);
      text += decoder.decode(value, { stream: true });
    }
  }
}

/** With another beginning it could name another host: the base URL and `@host` or `0/`. */
function checkPath(path: string): void {
  if (!path.startsWith('/')) throw new RcptError('A path begins with /, such as /v1/usage.');
  if (/\/(\.|%2e){1,2}(\/|$)/i.test(path)) throw new RcptError('A path has no segments . and ..');
}

function resultOf(response: Response, text: string): unknown {
  if (!response.ok) throw errorOf(response, text);
  if (response.status === 204) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UnexpectedResponseError(response.status, response.headers.get('x-request-id'));
  }
}

/** `fetch` reports a failure of the network as a TypeError whose cause has the details. */
function connectionError(error: unknown, origin: string): unknown {
  if (!(error instanceof Error)) return error;
  const { cause } = error as { cause?: { code?: string; message?: string } };
  const reason = cause?.code ?? cause?.message ?? error.message;
  return new ApiConnectionError(`The request to ${origin} failed: ${reason}.`, { cause: error });
}

function retryAfterOf(error: unknown): number | null {
  return error instanceof ApiError || error instanceof UnexpectedResponseError ? error.retryAfter : null;
}

/** With jitter, so that clients that failed together do not return together. */
function backoffMs(attempt: number): number {
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}

/** @throws the reason of the signal when it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's own reason
    const abort = () => (clearTimeout(timer), reject(signal?.reason));
    const timer = setTimeout(() => (signal?.removeEventListener('abort', abort), resolve()), ms);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

function queryString(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const pairs = given.map(([name, value]): [string, string] => [name, String(value)]);
  // A plus sign in the result would be a space; RFC 3986 has no such rule.
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString().replaceAll('+', '%20')}`;
}
