import { pages } from './pages.js';
import { json, type RequestOptions, type Transport } from './transport.js';
import type { Schedule, ScheduleCheck, ScheduleCreate, ScheduleRun, ScheduleUpdate } from './types.js';

type Options = Omit<RequestOptions, 'idempotencyKey'>;

const PATH = '/v1/schedules';

/** A schedule, or its id. */
export type ScheduleReference = string | Pick<Schedule, 'id'>;

/** A run, or its id. */
export type RunReference = string | Pick<ScheduleRun, 'id'>;

const pathOf = (schedule: ScheduleReference) =>
  `${PATH}/${encodeURIComponent(typeof schedule === 'string' ? schedule : schedule.id)}`;

/** Lists that the service reads and verifies at regular times. */
export class Schedules {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first. */
  list({ signal }: Pick<RequestOptions, 'signal'> = {}): AsyncGenerator<Schedule, void, undefined> {
    return pages(this.#transport, PATH, {}, signal);
  }

  /** Reads the first rows of its source, as a run would. Nothing is stored, verified or charged. */
  async check(schedule: ScheduleCreate, options: Options = {}): Promise<ScheduleCheck> {
    const request = { method: 'POST', path: `${PATH}/check`, body: json(schedule), ...options };
    return (await this.#transport.call(request)) as ScheduleCheck;
  }

  /** Secrets of its source are in no response. */
  async create(schedule: ScheduleCreate, options: RequestOptions = {}): Promise<Schedule> {
    const request = { method: 'POST', path: PATH, body: json(schedule), ...options };
    return (await this.#transport.call(request)) as Schedule;
  }

  async get(schedule: ScheduleReference, options: Options = {}): Promise<Schedule> {
    return (await this.#transport.call({ method: 'GET', path: pathOf(schedule), ...options })) as Schedule;
  }

  /** Omitted settings stay, and so do the secrets of a source of the same kind on the same host. */
  async update(
    schedule: ScheduleReference,
    changes: ScheduleUpdate,
    options: Options = {},
  ): Promise<Schedule> {
    const request = { method: 'PATCH', path: pathOf(schedule), body: json(changes), ...options };
    return (await this.#transport.call(request)) as Schedule;
  }

  /** Deletes a schedule with its runs. Bulk jobs of its runs remain. */
  async delete(schedule: ScheduleReference, options: Options = {}): Promise<void> {
    await this.#transport.call({ method: 'DELETE', path: pathOf(schedule), ...options });
  }

  /** Runs it now. @returns the run, or the one that has not ended. */
  async run(schedule: ScheduleReference, options: RequestOptions = {}): Promise<ScheduleRun> {
    const request = { method: 'POST', path: `${pathOf(schedule)}/run`, ...options };
    return (await this.#transport.call(request)) as ScheduleRun;
  }

  /** Its runs, newest first. */
  runs(
    schedule: ScheduleReference,
    { signal }: Pick<RequestOptions, 'signal'> = {},
  ): AsyncGenerator<ScheduleRun, void, undefined> {
    return pages(this.#transport, `${pathOf(schedule)}/runs`, {}, signal);
  }

  /** Blocklists what a run with the status `needs_confirmation` would: listmonk ends all subscriptions of these, for good. */
  confirm(
    schedule: ScheduleReference,
    run: RunReference,
    options: RequestOptions = {},
  ): Promise<ScheduleRun> {
    return this.#answer('confirm', schedule, run, options);
  }

  /** Writes nothing of a run with the status `needs_confirmation`. */
  discard(
    schedule: ScheduleReference,
    run: RunReference,
    options: RequestOptions = {},
  ): Promise<ScheduleRun> {
    return this.#answer('discard', schedule, run, options);
  }

  async #answer(
    what: 'confirm' | 'discard',
    schedule: ScheduleReference,
    run: RunReference,
    options: RequestOptions,
  ): Promise<ScheduleRun> {
    const id = encodeURIComponent(typeof run === 'string' ? run : run.id);
    const request = { method: 'POST', path: `${pathOf(schedule)}/runs/${id}/${what}`, ...options };
    return (await this.#transport.call(request)) as ScheduleRun;
  }
}
