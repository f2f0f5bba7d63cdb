import { mapConcurrently } from '../../../../kernel/concurrency/map-concurrently.js';
import { isObject } from '../../../../platform/database/checks/data-checks.js';
import { RunFailure } from '../domain/failure.js';
import type { FoundList } from '../domain/list-source.js';
import type { ListmonkSource, SourceSecret } from '../domain/schedule.js';
import { ListmonkProfile } from './listmonk-profile.js';
import {
  ListmonkPages,
  PageTooLarge,
  type AskedPage,
  type FoundRows,
  type PagesPlace,
} from './listmonk-pages.js';
import { requireOk, type SourceBytes, type SourceRequests } from './source-requests.js';

/** What is read of a subscriber. */
export interface Subscriber {
  id: number;
  email: string;
  name: string;
  status: string;
  attribs: Readonly<Record<string, unknown>>;
  lists: readonly { id: number; status: string; optin: string }[];
}

/** The attribute of a subscriber with the result. */
export const RESULT_ATTRIBUTE = 'rcpt';
/** The status of a subscriber to whom nothing is sent. */
export const BLOCKLISTED = 'blocklisted';
/** Of one response. */
const MAX_RESPONSE_BYTES = 4_000_000;
/** Of one reading. */
const MAX_SUBSCRIBERS = 10_000_000;
/** Of a list. */
const MAX_NAME_LENGTH = 200;
/** Requests for lists at the same time. */
const AT_ONCE = 4;
const OK = 200;
/** listmonk answers 400 for a subscriber that does not exist. */
const GONE = [400, 404, 410];
/** Also for a subscriber who has left the lists that the user may read. */
const FORBIDDEN = 403;
/** Of versions without PATCH. */
const NOT_SUPPORTED = [404, 405, 501];
/** What is refused for good, and only for this subscriber. */
const REFUSED = [400, 404, 405, 409, 410, 413, 422, 501];

/** A list, or why it cannot be read. */
type LookedUpList = FoundList | 'missing' | 'forbidden';

/** A listmonk by its documented API. Nothing is ever deleted. */
export class Listmonk {
  private readonly headers: Readonly<Record<string, string>>;
  private profile: Promise<ListmonkProfile> | null = null;
  private saidTotal: number | null = null;

  private constructor(
    private readonly requests: SourceRequests,
    private readonly url: string,
    { username, token }: { username: string; token: string },
    private readonly bytes: SourceBytes,
    private readonly signal: AbortSignal,
  ) {
    const credentials = Buffer.from(`${username}:${token}`).toString('base64');
    this.headers = { accept: 'application/json', authorization: `Basic ${credentials}` };
  }

  /** @param bytes counts what it sends. @param signal ends its requests. */
  static of(
    requests: SourceRequests,
    { url, username }: ListmonkSource,
    { values }: SourceSecret,
    bytes: SourceBytes,
    signal: AbortSignal,
  ): Listmonk {
    return new Listmonk(requests, url, { username, token: values.token ?? '' }, bytes, signal);
  }

  /**
   * The subscribers of these lists, each once. One on several lists is sent several times.
   *
   * @param place null: from the beginning. @throws RunFailure
   */
  async *subscribers(
    lists: readonly number[],
    place: PagesPlace | null,
  ): AsyncGenerator<FoundRows<Subscriber>, void> {
    const left = new AbortController();
    const pages = new ListmonkPages((page) => this.page(lists, page, left.signal), place);
    let count = 0;
    try {
      for await (const found of pages.read()) {
        count += found.rows.length;
        if (count > MAX_SUBSCRIBERS) throw new RunFailure('too_large');
        yield found;
      }
    } finally {
      left.abort();
    }
  }

  /** These lists by their ids, in this order. @throws RunFailure */
  async lists(ids: readonly number[]): Promise<ReadonlyMap<number, LookedUpList>> {
    const lists = new Map<number, LookedUpList>();
    const found = mapConcurrently(ids, AT_ONCE, async (id): Promise<[number, LookedUpList]> => {
      const data = await this.get(`api/lists/${id}`, [...GONE, FORBIDDEN]);
      if (typeof data === 'number') return [id, data === FORBIDDEN ? 'forbidden' : 'missing'];
      return [id, toFoundList(id, data)];
    });
    for await (const [id, list] of found) lists.set(id, list);
    return new Map(ids.map((id) => [id, lists.get(id)!]));
  }

  /** What it has said about the number of rows; null: nothing yet. */
  get total(): number | null {
    return this.saidTotal;
  }

  /** null: it does not exist any more, or may not be read. @throws RunFailure */
  async find(id: number): Promise<Subscriber | null> {
    const data = await this.get(`api/subscribers/${id}`, [...GONE, FORBIDDEN]);
    // A token that was revoked may read no others either.
    if (data === FORBIDDEN) await this.get('api/subscribers?page=1&per_page=1');
    return typeof data === 'number' ? null : toSubscriber(data);
  }

  /** @returns those that it refuses to change. @throws RunFailure */
  async blocklist(ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    if ((await this.change('PUT', 'api/subscribers/blocklist', { ids }, [FORBIDDEN])) === OK) return [];
    // One who has left the lists that the user may change makes it refuse all.
    const refused: number[] = [];
    let isAllowed = false;
    for (const id of ids) {
      const answer = await this.change('PUT', `api/subscribers/${id}/blocklist`, {}, [FORBIDDEN]);
      if (answer !== OK) refused.push(id);
      isAllowed ||= answer !== FORBIDDEN;
    }
    if (!isAllowed) throw new RunFailure('unauthorized');
    return refused;
  }

  /**
   * Sets one attribute, and leaves all others. Versions that cannot change attributes alone get the whole subscriber,
   * unless that would change a subscription. Every change of a subscriber who was asked to confirm a subscription makes
   * listmonk ask again, by mail: these are not changed.
   *
   * @returns false: it refuses the change, or would change more. @throws RunFailure
   */
  async setAttribute(subscriber: Subscriber, name: string, value: unknown): Promise<boolean> {
    const { email, name: of, status, lists } = subscriber;
    if (lists.some((list) => list.status === 'unconfirmed' && list.optin === 'double')) return false;
    const path = `api/subscribers/${subscriber.id}`;
    const attribs = { ...subscriber.attribs, [name]: value };
    const answer = await this.change('PATCH', path, { attribs });
    if (!NOT_SUPPORTED.includes(answer)) return answer === OK;
    // Without the permission, some versions remove the subscriber from all lists, and answer 200.
    this.profile ??= this.ownProfile();
    if (!(await this.profile).managesAll(lists)) return false;
    const preconfirm = lists.every((list) => list.status === 'confirmed');
    if (!preconfirm && lists.some((list) => list.status !== 'unconfirmed')) return false;
    const ids = lists.map((list) => list.id);
    const whole = { email, name: of, status, lists: ids, attribs, preconfirm_subscriptions: preconfirm };
    return (await this.change('PUT', path, whole)) === OK;
  }

  private async ownProfile(): Promise<ListmonkProfile> {
    const data = await this.get('api/profile', NOT_SUPPORTED);
    return typeof data === 'number' ? ListmonkProfile.unlimited : ListmonkProfile.of(data);
  }

  /** @throws PageTooLarge, RunFailure */
  private async page(
    lists: readonly number[],
    { page, perPage }: AskedPage,
    signal: AbortSignal,
  ): Promise<Subscriber[]> {
    const query = new URLSearchParams(lists.map((id): [string, string] => ['list_id', String(id)]));
    // Without `order_by` they are in the order of their ids. Capitals are not understood.
    const paging = { order: 'asc', page: String(page), per_page: String(perPage) };
    for (const [name, value] of Object.entries(paging)) query.set(name, value);
    const data = await this.get(`api/subscribers?${query.toString()}`, [], signal);
    const { results, total } = isObject(data) ? data : {};
    if (Number.isSafeInteger(total)) this.saidTotal = total as number;
    // A page without a row has null in place of an empty list.
    if ((results ?? null) === null && typeof total === 'number') return [];
    if (!Array.isArray(results)) throw new RunFailure('not_listmonk');
    return results.map((item) => {
      const subscriber = toSubscriber(item);
      if (subscriber === null) throw new RunFailure('not_listmonk');
      return subscriber;
    });
  }

  /** The `data` of a response; a number: it has one of these statuses. */
  private async get(
    path: string,
    statuses: readonly number[] = [],
    signal: AbortSignal = this.signal,
  ): Promise<unknown> {
    const reply = await this.requests.open(this.request(path), this.deadline(signal));
    if (statuses.includes(reply.statusCode)) {
      reply.close();
      return reply.statusCode;
    }
    requireOk(reply);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of reply.body) {
      this.bytes.add(chunk.length);
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) throw new PageTooLarge();
      chunks.push(chunk);
    }
    return dataOf(Buffer.concat(chunks).toString('utf8'));
  }

  /** @returns the status: 200, or why it is refused for good. @throws RunFailure */
  private async change(
    method: 'PUT' | 'PATCH',
    path: string,
    body: unknown,
    refused: readonly number[] = [],
  ): Promise<number> {
    const request = { ...this.request(path), change: { method, body } };
    const reply = await this.requests.open(request, this.deadline(this.signal));
    if (![...REFUSED, ...refused].includes(reply.statusCode)) requireOk(reply);
    reply.close();
    return reply.statusCode;
  }

  private request(path: string): { url: URL; headers: Readonly<Record<string, string>> } {
    return { url: new URL(path, this.url.endsWith('/') ? this.url : `${this.url}/`), headers: this.headers };
  }

  private deadline(signal: AbortSignal): AbortSignal {
    const { requestMs } = this.requests.limits;
    return AbortSignal.any([this.signal, signal, AbortSignal.timeout(requestMs)]);
  }
}

function dataOf(text: string): unknown {
  try {
    const response: unknown = JSON.parse(text);
    if (isObject(response) && isObject(response.data)) return response.data;
  } catch {
    // A page of a proxy.
  }
  throw new RunFailure('not_listmonk');
}

function toSubscriber(item: unknown): Subscriber | null {
  if (!isObject(item)) return null;
  const { id, email, name, status, attribs, lists } = item;
  if (!Number.isSafeInteger(id) || (id as number) < 0 || typeof email !== 'string') return null;
  return {
    id: id as number,
    email,
    name: typeof name === 'string' ? name : '',
    status: typeof status === 'string' ? status : '',
    attribs: isObject(attribs) ? attribs : {},
    lists: Array.isArray(lists) ? lists.flatMap((list) => toList(list) ?? []) : [],
  };
}

function toFoundList(id: number, data: unknown): FoundList {
  const { name, subscriber_count: subscribers } = isObject(data) ? data : {};
  return {
    id,
    name: typeof name === 'string' ? name.slice(0, MAX_NAME_LENGTH) : '',
    subscribers: Number.isSafeInteger(subscribers) ? (subscribers as number) : null,
  };
}

function toList(item: unknown): Subscriber['lists'][number] | null {
  if (!isObject(item) || !Number.isSafeInteger(item.id)) return null;
  const { id, subscription_status: status, optin } = item;
  return { id: id as number, status: String(status), optin: String(optin) };
}
