import { RcptError } from './errors.js';
import { pages } from './pages.js';
import { json, type RequestOptions, type Transport } from './transport.js';
import type {
  IssuedOutcomeSource,
  KnownOutcome,
  Outcome,
  OutcomeReceipt,
  OutcomeSource,
  OutcomeSourceCreate,
} from './types.js';

/** A request has at most 1,000 outcomes, and 2 MB. */
const BATCH_OUTCOMES = 500;

/** One outcome, or any number of them. */
export type OutcomeInput = Outcome | Iterable<Outcome> | AsyncIterable<Outcome>;

/** What became of mails to addresses. */
export class Outcomes {
  /** Mail providers that send their events to the service. */
  readonly sources: OutcomeSources;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.sources = new OutcomeSources(transport);
  }

  /**
   * Reports outcomes, up to 500 in a request. An outcome that cannot be used is in `ignored`, with its position.
   * What was reported before is a duplicate, so a report can be repeated after an error.
   *
   * @throws RcptError
   */
  async report(
    outcomes: OutcomeInput,
    options: Omit<RequestOptions, 'idempotencyKey'> = {},
  ): Promise<OutcomeReceipt> {
    const sum: OutcomeReceipt = { received: 0, stored: 0, duplicates: 0, ignored: [] };
    for await (const batch of batchesOf(outcomes)) {
      const body = json({ outcomes: batch });
      const { received, stored, duplicates, ignored } = await this.#post(body, options);
      for (const each of ignored) sum.ignored.push({ ...each, index: each.index + sum.received });
      sum.received += received;
      sum.stored += stored;
      sum.duplicates += duplicates;
    }
    return sum;
  }

  /**
   * Reports a delivery report or a complaint, as it arrived by mail.
   *
   * @throws RcptError
   */
  reportMessage(message: Uint8Array | Blob, options: RequestOptions = {}): Promise<OutcomeReceipt> {
    const content = message as NonNullable<RequestInit['body']>;
    return this.#post(() => ({ contentType: 'message/rfc822', content }), options);
  }

  /** What is known of an address, newest first. Reads a page when the previous one is used up. */
  list(
    email: string,
    { signal }: Pick<RequestOptions, 'signal'> = {},
  ): AsyncGenerator<KnownOutcome, void, undefined> {
    return pages(this.#transport, '/v1/outcomes', { email }, signal);
  }

  /** Deletes what is known of an address. */
  async forget(email: string, options: RequestOptions = {}): Promise<void> {
    await this.#transport.call({ method: 'DELETE', path: '/v1/outcomes', query: { email }, ...options });
  }

  async #post(
    body: NonNullable<Parameters<Transport['call']>[0]['body']>,
    options: RequestOptions,
  ): Promise<OutcomeReceipt> {
    const request = { method: 'POST', path: '/v1/outcomes', body, ...options };
    return (await this.#transport.call(request)) as OutcomeReceipt;
  }
}

/** Mail providers that send their events to the service. */
export class OutcomeSources {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first. */
  list({ signal }: Pick<RequestOptions, 'signal'> = {}): AsyncGenerator<OutcomeSource, void, undefined> {
    return pages(this.#transport, '/v1/outcome-sources', {}, signal);
  }

  /** Adds a source. Its `url` is in this response only: enter it at the provider. */
  async add(source: OutcomeSourceCreate, options: RequestOptions = {}): Promise<IssuedOutcomeSource> {
    const request = { method: 'POST', path: '/v1/outcome-sources', body: json(source) };
    return (await this.#transport.call({ ...request, ...options })) as IssuedOutcomeSource;
  }

  /** Deletes a source, whose URL is unknown from then on. */
  async delete(source: string | Pick<OutcomeSource, 'id'>, options: RequestOptions = {}): Promise<void> {
    const id = encodeURIComponent(typeof source === 'string' ? source : source.id);
    await this.#transport.call({ method: 'DELETE', path: `/v1/outcome-sources/${id}`, ...options });
  }
}

async function* batchesOf(outcomes: OutcomeInput): AsyncGenerator<Outcome[], void, undefined> {
  if (typeof outcomes === 'string' || outcomes instanceof Uint8Array)
    throw new RcptError('report takes outcomes; reportMessage takes a message.');
  const isOne = !(Symbol.iterator in outcomes) && !(Symbol.asyncIterator in outcomes);
  let batch: Outcome[] = [];
  for await (const outcome of isOne ? [outcomes] : outcomes) {
    batch.push(outcome);
    if (batch.length < BATCH_OUTCOMES) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
