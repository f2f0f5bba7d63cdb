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

const PAGE_SIZE = 250;
/** Of one response. */
const MAX_RESPONSE_BYTES = 16_000_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** listmonk answers 400 for a subscriber that does not exist. */
const GONE = [400, 404, 410];
/** Of versions without PATCH. */
const NOT_SUPPORTED = [404, 405, 501];

/** A listmonk by its documented API. Nothing is ever deleted. */
export class Listmonk {
  private readonly bytes = new SourceBytes();
  private readonly headers: Readonly<Record<string, string>>;

  constructor(
    private readonly requests: SourceRequests,
    private readonly url: string,
    { username, token }: { username: string; token: string },
    private readonly signal: AbortSignal,
  ) {
    const credentials = Buffer.from(`${username}:${token}`).toString('base64');
    this.headers = { accept: 'application/json', authorization: `Basic ${credentials}` };
  }

  /** The subscribers of these lists, page by page. @throws RunFailure */
  async *subscribers(lists: readonly number[]): AsyncGenerator<readonly Subscriber[], void> {
    for (let page = 1; ; page++) {
      const query = new URLSearchParams(lists.map((id): [string, string] => ['list_id', String(id)]));
      // In an order that changes of subscribers leave as it is.
      const paging = {
        order_by: 'created_at',
        order: 'ASC',
        page: String(page),
        per_page: String(PAGE_SIZE),
      };
      for (const [name, value] of Object.entries(paging)) query.set(name, value);
      const data = await this.get(`api/subscribers?${query.toString()}`);
      const { results, total } = isObject(data) ? data : {};
      if (!Array.isArray(results)) throw new RunFailure('malformed_list');
      yield results.flatMap((item) => toSubscriber(item) ?? []);
      if (results.length === 0 || (typeof total === 'number' && page * PAGE_SIZE >= total)) return;
    }
  }

  /** null: it does not exist any more. @throws RunFailure */
  async find(id: number): Promise<Subscriber | null> {
    const data = await this.get(`api/subscribers/${id}`, GONE);
    return data === null ? null : toSubscriber(data);
  }

  /** @throws RunFailure */
  async blocklist(ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await this.change('PUT', 'api/subscribers/blocklist', { ids });
  }

  /**
   * Sets one attribute, and leaves all others. Versions that cannot change attributes alone get the whole subscriber,
   * unless that would change a subscription or send a mail.
   *
   * @throws RunFailure
   */
  async setAttribute(subscriber: Subscriber, name: string, value: unknown): Promise<void> {
    const path = `api/subscribers/${subscriber.id}`;
    const attribs = { ...subscriber.attribs, [name]: value };
    if (await this.change('PATCH', path, { attribs }, NOT_SUPPORTED)) return;
    const { email, name: of, status, lists } = subscriber;
    const preconfirm = lists.every((list) => list.status === 'confirmed');
    const isNeutral = lists.every((list) => list.status === 'unconfirmed' && list.optin !== 'double');
    if (!preconfirm && !isNeutral) return;
    const ids = lists.map((list) => list.id);
    const whole = { email, name: of, status, lists: ids, attribs, preconfirm_subscriptions: preconfirm };
    await this.change('PUT', path, whole);
  }

  /** The `data` of a response; null: it has one of these statuses. */
  private async get(path: string, absent: readonly number[] = []): Promise<unknown> {
    const reply = await this.requests.open(this.request(path), this.deadline());
    if (absent.includes(reply.statusCode)) {
      reply.close();
      return null;
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

  /** @param refused @returns false: the response has one of these statuses. */
  private async change(
    method: 'PUT' | 'PATCH',
    path: string,
    body: unknown,
    refused: readonly number[] = [],
  ): Promise<boolean> {
    const request = { ...this.request(path), change: { method, body } };
    const reply = await this.requests.open(request, this.deadline());
    const isRefused = refused.includes(reply.statusCode);
    if (!isRefused) requireOk(reply);
    reply.close();
    return !isRefused;
  }

  private request(path: string): { url: URL; headers: Readonly<Record<string, string>> } {
    return { url: new URL(path, this.url.endsWith('/') ? this.url : `${this.url}/`), headers: this.headers };
  }

  private deadline(): AbortSignal {
    return AbortSignal.any([this.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
  }
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
