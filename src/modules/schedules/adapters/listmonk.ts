import { isObject } from '../../../platform/database/checks/data-checks.js';
import { RunFailure } from '../domain/failure.js';
import { requireOk, SourceBytes, type SourceRequests } from './source-requests.js';

/** What is read of a subscriber. */
export interface Subscriber {
  id: number;
  email: string;
  name: string;
  status: string;
  attribs: Readonly<Record<string, unknown>>;
  lists: readonly { id: number; status: string; optin: string }[];
}

/** The status of a subscriber to whom nothing is sent. */
export const BLOCKLISTED = 'blocklisted';
/** Subscribers of a page. listmonk gives fewer, and says how many. */
const PAGE_SIZE = 250;
/** Of one response. */
const MAX_RESPONSE_BYTES = 16_000_000;
const OK = 200;
/** listmonk answers 400 for a subscriber that does not exist. */
const GONE = [400, 404, 410];
/** Also for a subscriber who has left the lists that the user may read. */
const FORBIDDEN = 403;
/** Of versions without PATCH. */
const NOT_SUPPORTED = [404, 405, 501];
/** What is refused for good, and only for this subscriber. */
const REFUSED = [400, 404, 405, 409, 410, 413, 422, 501];

/** A page of results, by its number from 1. */
interface ResultPage {
  page: number;
  perPage: number;
}

/** What a page has. */
interface Page {
  subscribers: Subscriber[];
  /** With those that cannot be read. */
  count: number;
  /** Of all pages, as listmonk says. */
  total: number;
  /** Subscribers of a full page. */
  perPage: number;
}

/** A listmonk by its documented API. Nothing is ever deleted. */
export class Listmonk {
  private readonly bytes: SourceBytes;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(
    private readonly requests: SourceRequests,
    private readonly url: string,
    { username, token }: { username: string; token: string },
    private readonly signal: AbortSignal,
  ) {
    const credentials = Buffer.from(`${username}:${token}`).toString('base64');
    this.bytes = new SourceBytes(requests.limits);
    this.headers = { accept: 'application/json', authorization: `Basic ${credentials}` };
  }

  /**
   * The subscribers of these lists, page by page, by their ids. Each page begins with one of the page before: otherwise
   * somebody was removed meanwhile, all others have moved forward, and the page before is read again. Where the pages or
   * their order are not those that were asked for, one follows the other until one is empty.
   *
   * @throws RunFailure
   */
  async *subscribers(lists: readonly number[]): AsyncGenerator<readonly Subscriber[], void> {
    let [size, start, lastId] = [PAGE_SIZE, 0, 0];
    let [isOrdered, overlaps] = [true, true];
    for (;;) {
      const asked = overlaps ? pageOf(start, size) : { page: Math.floor(start / size) + 1, perPage: size };
      const { subscribers, count, total, perPage } = await this.page(lists, asked);
      if (perPage < asked.perPage) size = perPage;
      start = (asked.page - 1) * perPage;
      isOrdered &&= isAscending(subscribers);
      if (overlaps && start > 0 && isOrdered && (subscribers[0]?.id ?? Infinity) > lastId) {
        start = Math.max(0, start - perPage);
        continue;
      }
      const known = lastId;
      lastId = Math.max(lastId, subscribers.at(-1)?.id ?? 0);
      // One on several lists is sent several times.
      const isNew = ({ id }: Subscriber, at: number) => id > (subscribers[at - 1]?.id ?? 0) && id > known;
      const found = isOrdered ? subscribers.filter(isNew) : subscribers;
      yield found;
      // The total may be an old one: a full page has another one after it, whatever it says.
      if (count === 0 || (count < perPage && total <= start + count)) return;
      overlaps &&= isOrdered && (known === 0 || found.length > 0);
      start += overlaps ? Math.max(1, count - 1) : perPage;
    }
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
    if ((await this.change('PUT', 'api/subscribers/blocklist', { ids })) === OK) return [];
    const refused: number[] = [];
    for (const id of ids)
      if ((await this.change('PUT', `api/subscribers/${id}/blocklist`, {})) !== OK) refused.push(id);
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
    const preconfirm = lists.every((list) => list.status === 'confirmed');
    if (!preconfirm && lists.some((list) => list.status !== 'unconfirmed')) return false;
    const ids = lists.map((list) => list.id);
    const whole = { email, name: of, status, lists: ids, attribs, preconfirm_subscriptions: preconfirm };
    return (await this.change('PUT', path, whole)) === OK;
  }

  private async page(lists: readonly number[], { page, perPage: asked }: ResultPage): Promise<Page> {
    const query = new URLSearchParams(lists.map((id): [string, string] => ['list_id', String(id)]));
    // Without `order_by` they are in the order of their ids.
    const paging = { order: 'ASC', page: String(page), per_page: String(asked) };
    for (const [name, value] of Object.entries(paging)) query.set(name, value);
    const data = await this.get(`api/subscribers?${query.toString()}`);
    const { results, per_page: given, total: all } = isObject(data) ? data : {};
    if (!Array.isArray(results)) throw new RunFailure('malformed_list');
    const count = results.length;
    const total = typeof all === 'number' ? all : Infinity;
    const limit = typeof given === 'number' && given >= 1 ? Math.min(given, asked) : asked;
    const isCut = page === 1 && count > 0 && count < limit && total > count;
    const subscribers = results.flatMap((item) => toSubscriber(item) ?? []);
    return { subscribers, count, total, perPage: isCut ? count : limit };
  }

  /** The `data` of a response; a number: it has one of these statuses. */
  private async get(path: string, statuses: readonly number[] = []): Promise<unknown> {
    const reply = await this.requests.open(this.request(path), this.deadline());
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
      if (size > MAX_RESPONSE_BYTES) throw new RunFailure('too_large');
      chunks.push(chunk);
    }
    return dataOf(Buffer.concat(chunks).toString('utf8'));
  }

  /** @returns the status: 200, or why it is refused for good. @throws RunFailure */
  private async change(method: 'PUT' | 'PATCH', path: string, body: unknown): Promise<number> {
    const request = { ...this.request(path), change: { method, body } };
    const reply = await this.requests.open(request, this.deadline());
    if (!REFUSED.includes(reply.statusCode)) requireOk(reply);
    reply.close();
    return reply.statusCode;
  }

  private request(path: string): { url: URL; headers: Readonly<Record<string, string>> } {
    return { url: new URL(path, this.url.endsWith('/') ? this.url : `${this.url}/`), headers: this.headers };
  }

  private deadline(): AbortSignal {
    return AbortSignal.any([this.signal, AbortSignal.timeout(this.requests.limits.requestMs)]);
  }
}

/** The page that holds the place `start`, and as much as possible after it. */
function pageOf(start: number, size: number): ResultPage {
  const from = (perPage: number) => perPage - (start % perPage);
  let perPage = size;
  for (let fewer = size - 1; fewer > from(perPage); fewer--) if (from(fewer) > from(perPage)) perPage = fewer;
  return { page: Math.floor(start / perPage) + 1, perPage };
}

function isAscending(subscribers: readonly Subscriber[]): boolean {
  return subscribers.every(({ id }, at) => id >= (subscribers[at - 1]?.id ?? 0));
}

function dataOf(text: string): unknown {
  try {
    const response: unknown = JSON.parse(text);
    if (isObject(response) && isObject(response.data)) return response.data;
  } catch {
    // A page of a proxy.
  }
  throw new RunFailure('malformed_list');
}

function toSubscriber(item: unknown): Subscriber | null {
  if (!isObject(item)) return null;
  const { id, email, name, status, attribs, lists } = item;
  if (!Number.isSafeInteger(id) || typeof email !== 'string') return null;
  return {
    id: id as number,
    email,
    name: typeof name === 'string' ? name : '',
    status: typeof status === 'string' ? status : '',
    attribs: isObject(attribs) ? attribs : {},
    lists: Array.isArray(lists) ? lists.flatMap((list) => toList(list) ?? []) : [],
  };
}

function toList(item: unknown): Subscriber['lists'][number] | null {
  if (!isObject(item) || !Number.isSafeInteger(item.id)) return null;
  const { id, subscription_status: status, optin } = item;
  return { id: id as number, status: String(status), optin: String(optin) };
}
