import { json, type RequestOptions, type Transport } from './transport.js';
import type { Policy, PolicyPreview, PolicyRule } from './types.js';

type Options = Omit<RequestOptions, 'idempotencyKey'>;

const PATH = '/v1/policy';

/** The rules by which the team decides about addresses. */
export class TeamPolicy {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(options: Options = {}): Promise<Policy> {
    return (await this.#transport.call({ method: 'GET', path: PATH, ...options })) as Policy;
  }

  /** Replaces the rules, of which the first that matches decides. Needs the live key of an admin. */
  async set(rules: readonly PolicyRule[], options: Options = {}): Promise<Policy> {
    const request = { method: 'PUT', path: PATH, body: json({ rules }), ...options };
    return (await this.#transport.call(request)) as Policy;
  }

  /** What rules would change in the verdicts of lists of the last 1–30 days (default 7). They are not stored. */
  async preview(
    rules: readonly PolicyRule[],
    { days, ...options }: Options & { days?: number } = {},
  ): Promise<PolicyPreview> {
    const request = { method: 'POST', path: `${PATH}/preview`, body: json({ rules, days }), ...options };
    return (await this.#transport.call(request)) as PolicyPreview;
  }
}
