import { Bulk } from './bulk.js';
import { RcptError } from './errors.js';
import { Outcomes } from './outcomes.js';
import { TeamPolicy } from './policy.js';
import { ProofKeys, type ProofCheck, type ProofCheckOptions } from './proofs.js';
import { Schedules } from './schedules.js';
import { json, Transport, type RequestOptions } from './transport.js';
import type {
  Accuracy,
  Domain,
  AnswerTo,
  MethodOf,
  ParametersOf,
  Path,
  ProofConfirmation,
  Verdict,
} from './types.js';
import { inOrder } from './verify-many.js';
import { Webhooks } from './webhooks.js';

const TIMEOUT_MS = 40_000;
/** What may be copied with the URL. */
const PATHS_OF_RCPT = /\/(v1|console|docs|openapi\.json)(\/.*)?$/;

export interface RcptOptions {
  /** Such as `https://verify.example.org`. Default: `RCPT_URL` of the environment. */
  baseUrl?: string;
  /** Default: `RCPT_API_KEY` of the environment. */
  apiKey?: string;
  /** `whsec_…`, for `webhooks.verify`. Default: `RCPT_WEBHOOK_SECRET`, several separated by commas. */
  webhookSecrets?: string | readonly string[];
  /**
   * The time of one attempt of a request. Default: 40,000. A shorter one than the `timeout` of a verification
   * ends the call before its verdict.
   */
  timeoutMs?: number;
  /** After failures that pass by themselves. Default: 3. */
  maxRetries?: number;
  /** The longest `Retry-After`, in seconds, for which the client waits; after 429 at most `timeoutMs`. Default: 60. */
  maxRetryAfter?: number;
  /** Default: the global one. */
  fetch?: typeof fetch;
}

export interface VerifyOptions extends RequestOptions {
  /** Query the network even for a stored result. */
  refresh?: boolean;
  /** Stored results that are older, in seconds, are not used. */
  maxAge?: number;
  /** Seconds after which the verdict is `unknown / timeout`: 1–30, default 10. */
  timeout?: number;
}

export interface VerifyManyOptions extends Omit<VerifyOptions, 'idempotencyKey'> {
  /** The number of addresses that are verified at the same time: 1–1,000, default 25. */
  concurrency?: number;
}

interface Parameters {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

interface VerifyBody {
  email?: string;
  emails?: readonly string[];
  refresh: boolean | undefined;
  max_age: number | undefined;
  timeout: number | undefined;
}

/** A client of one service with one key. */
export class Rcpt {
  readonly bulk: Bulk;
  readonly outcomes: Outcomes;
  readonly policy: TeamPolicy;
  readonly schedules: Schedules;
  readonly webhooks: Webhooks;
  readonly #transport: Transport;
  readonly #proofKeys: ProofKeys;

  /** @throws RcptError if the base URL or the key is missing or malformed. */
  constructor(options: RcptOptions = {}) {
    const { timeoutMs = TIMEOUT_MS, maxRetries = 3, maxRetryAfter = 60 } = options;
    this.#transport = new Transport({
      baseUrl: checkedUrl(options.baseUrl ?? fromEnvironment('RCPT_URL')),
      apiKey: checkedKey(options.apiKey ?? fromEnvironment('RCPT_API_KEY')),
      timeoutMs,
      maxRetries,
      maxRetryAfter,
      // Called as a method it would have another `this`, which browsers refuse.
      fetch: options.fetch ?? ((...request) => fetch(...request)),
    });
    this.#proofKeys = new ProofKeys(() =>
      this.#transport.call({ method: 'GET', path: '/.well-known/jwks.json' }),
    );
    this.bulk = new Bulk(this.#transport);
    this.outcomes = new Outcomes(this.#transport);
    this.policy = new TeamPolicy(this.#transport);
    this.schedules = new Schedules(this.#transport);
    const secrets = options.webhookSecrets ?? fromEnvironment('RCPT_WEBHOOK_SECRET')?.split(',');
    this.webhooks = new Webhooks(secrets ?? []);
  }

  /** Verifies an address. An invalid address and a failure of the network are verdicts, not errors. */
  async verify(
    email: string,
    { refresh, maxAge, timeout, ...options }: VerifyOptions = {},
  ): Promise<Verdict> {
    return (await this.#verify({ email, refresh, max_age: maxAge, timeout }, options)) as Verdict;
  }

  /**
   * Verifies several addresses, up to 25 in a request. Yields a verdict for each, in the given order, as
   * soon as those before it are there.
   */
  verifyMany(
    emails: Iterable<string> | AsyncIterable<string>,
    { concurrency = 25, refresh, maxAge, timeout, ...options }: VerifyManyOptions = {},
  ): AsyncGenerator<Verdict, void, undefined> {
    const verify = async (batch: readonly string[], signal: AbortSignal) => {
      const body = { emails: batch, refresh, max_age: maxAge, timeout };
      return ((await this.#verify(body, { ...options, signal })) as { data: Verdict[] }).data;
    };
    return inOrder(emails, { verify, concurrency, signal: options.signal });
  }

  /** What a domain says about its mail. No mail server is contacted; costs no quota. */
  async domain(name: string, options: RequestOptions = {}): Promise<Domain> {
    const path = `/v1/domains/${encodeURIComponent(name)}`;
    return (await this.#transport.call({ method: 'GET', path, ...options })) as Domain;
  }

  /** Confirms the proof that the widget has put into a form, with the address of the same form. Costs no quota. */
  async confirmProof(proof: string, email: string, options: RequestOptions = {}): Promise<ProofConfirmation> {
    const request = { method: 'POST', path: '/v1/proofs/confirm', body: json({ proof, email }), ...options };
    return (await this.#transport.call(request)) as ProofConfirmation;
  }

  /**
   * Checks a proof with the public keys of the service, which are read at most once a minute. It does not use the
   * proof: store `jti` if each may be used once.
   */
  verifyProof(proof: string, email: string, options: ProofCheckOptions): Promise<ProofCheck> {
    return this.#proofKeys.check(proof, email, options);
  }

  /** How often mail to verified addresses bounced, by reason and provider, in the last 1–365 days (default 90). */
  async accuracy({ days, ...options }: RequestOptions & { days?: number } = {}): Promise<Accuracy> {
    const request = { method: 'GET', path: '/v1/accuracy', query: { days }, ...options };
    return (await this.#transport.call(request)) as Accuracy;
  }

  /**
   * Any other request of the API, with the types of the OpenAPI document:
   * `rcpt.request('get', '/v1/usage')`.
   */
  async request<P extends Path, M extends MethodOf<P>>(
    method: M,
    path: P,
    parameters: ParametersOf<P, M> = {} as ParametersOf<P, M>,
    options: RequestOptions = {},
  ): Promise<AnswerTo<P, M>> {
    const { path: names = {}, query, body } = parameters as Parameters;
    const answer = await this.#transport.call({
      ...options,
      method: method.toUpperCase(),
      path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? '')),
      query,
      body: body === undefined ? undefined : json(body),
    });
    return answer as AnswerTo<P, M>;
  }

  #verify(body: VerifyBody, options: RequestOptions): Promise<unknown> {
    return this.#transport.call({ method: 'POST', path: '/v1/verify', body: json(body), ...options });
  }
}

/** Undefined outside Node and its like. */
function fromEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}

function checkedUrl(text: string | undefined): string {
  if (text === undefined) throw new RcptError('Set baseUrl or RCPT_URL to the URL of the service.');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username + url.password !== '')
    throw new RcptError('The base URL is http:// or https://, a host and no user.');
  const base = url.origin + url.pathname.replace(/\/+$/, '');
  const [path = ''] = PATHS_OF_RCPT.exec(base) ?? [];
  if (path !== '') throw new RcptError(`The base URL has no ${path}: write ${base.slice(0, -path.length)}.`);
  return base;
}

/** The message of `fetch` for an invalid header would contain the key. */
function checkedKey(text: string | undefined): string {
  const key = text?.trim() ?? '';
  if (key === '') throw new RcptError('Set apiKey or RCPT_API_KEY to a key of the service.');
  if (!/^[\w-]+$/.test(key)) throw new RcptError('The key has characters that no key has.');
  return key;
}
