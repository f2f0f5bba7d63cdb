import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestSubscriber {
  id: number;
  email: string;
  name: string;
  status: 'enabled' | 'disabled' | 'blocklisted';
  attribs: Record<string, unknown>;
  lists: { id: number; subscription_status: string; optin: 'single' | 'double' }[];
}

interface Asked {
  method: string;
  path: string;
  body: Record<string, unknown> | null;
}

const CREDENTIALS = { username: 'rcpt', token: 'token-of-listmonk' };

/** Its pages have at most so many subscribers, whatever is asked for. */
const MAX_PER_PAGE = 50;
const SORT_FIELDS = ['email', 'status', 'name', 'created_at', 'updated_at'];

/**
 * A listmonk over HTTP that speaks the documented API of its subscribers, with the page size, order and mails of version
 * 6.2. It can delete nothing.
 */
export class ScriptedListmonk {
  static readonly credentials = CREDENTIALS;
  readonly subscribers = new Map<number, TestSubscriber>();
  readonly asked: Asked[] = [];
  /** false: a version that changes whole subscribers only. */
  canPatch = true;
  /** Pages that differ from the documented ones: their size is not that which was asked for. */
  pages: {
    size: number;
    says?: number | undefined;
    total?: number | undefined;
    isReversed?: boolean;
  } | null = null;
  /** Statuses of the next responses, in place of an answer; null: none comes. */
  readonly failures: (number | null)[] = [];
  /** Called before each answer. */
  before: (asked: Asked) => void = () => undefined;
  /** Answers in its place; true: it has, or nothing comes. */
  instead: (asked: Asked, response: ServerResponse) => boolean = () => false;
  /** The status of each change of a subscriber that is refused, by its id. */
  readonly refused = new Map<number, number>();
  /** Addresses that were asked, by mail, to confirm a subscription. */
  readonly asksToConfirm: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedListmonk> {
    const server = createServer();
    const listmonk = new ScriptedListmonk(server);
    server.on('request', (request, response) => void listmonk.answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return listmonk;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The source of a schedule. */
  source(lists: readonly number[] = [1]): object {
    return { kind: 'listmonk', url: this.url, ...CREDENTIALS, lists };
  }

  add(email: string, more: Partial<TestSubscriber> = {}): TestSubscriber {
    const id = this.subscribers.size + 1;
    const lists = [{ id: 1, subscription_status: 'confirmed', optin: 'double' as const }];
    const subscriber = {
      id,
      email,
      name: `N ${id}`,
      status: 'enabled' as const,
      attribs: {},
      lists,
      ...more,
    };
    this.subscribers.set(id, subscriber);
    return subscriber;
  }

  paths(method: string): string[] {
    return this.asked.filter((asked) => asked.method === method).map(({ path }) => path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { method = '', url: path = '' } = request;
    const text = Buffer.concat(pieces).toString();
    const asked = { method, path, body: text === '' ? null : (JSON.parse(text) as Asked['body']) };
    this.asked.push(asked);
    this.before(asked);
    if (this.instead(asked, response)) return;
    const failure = this.failures.shift();
    if (failure === null) return;
    const expected = `Basic ${Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.token}`).toString('base64')}`;
    const status = failure ?? (request.headers.authorization === expected ? null : 403);
    const [code, data] = status === null ? this.dataOf(asked) : [status, null];
    const message = code === 200 ? { data } : { message: 'an error' };
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(message));
  }

  private dataOf({ method, path, body }: Asked): [number, unknown] {
    const url = new URL(path, this.url);
    if (method === 'GET' && url.pathname === '/api/subscribers') return [200, this.page(url.searchParams)];
    if (method === 'PUT' && url.pathname === '/api/subscribers/blocklist') {
      const ids = body?.ids as number[];
      const [refused] = ids.flatMap((id) => this.refused.get(id) ?? []);
      if (refused !== undefined) return [refused, null];
      for (const id of ids) this.subscribers.get(id)!.status = 'blocklisted';
      return [200, true];
    }
    const [, digits, action] = /^\/api\/subscribers\/(\d+)(\/blocklist)?$/.exec(url.pathname) ?? [];
    const subscriber = this.subscribers.get(Number(digits));
    if (digits === undefined) return [404, null];
    if (method !== 'GET' && this.refused.has(Number(digits)))
      return [this.refused.get(Number(digits))!, null];
    if (method === 'PATCH' && !this.canPatch) return [405, null];
    if (subscriber === undefined) return [400, null];
    if (method === 'PUT' && action !== undefined) subscriber.status = 'blocklisted';
    else if (method === 'PATCH') this.patch(subscriber, body ?? {});
    else if (method === 'PUT') this.replace(subscriber, body ?? {});
    else if (method !== 'GET') return [405, null];
    return [200, subscriber];
  }

  private patch(subscriber: TestSubscriber, body: Record<string, unknown>): void {
    Object.assign(subscriber.attribs, body.attribs);
    if (body.preconfirm_subscriptions !== true) this.askToConfirm(subscriber);
  }

  /** As after each change, unless it confirms. */
  private askToConfirm({ email, lists }: TestSubscriber): void {
    if (lists.some((list) => list.subscription_status === 'unconfirmed' && list.optin === 'double'))
      this.asksToConfirm.push(email);
  }

  /** Lists that are not sent lose the subscriber, as the API says. */
  private replace(subscriber: TestSubscriber, body: Record<string, unknown>): void {
    const ids = (body.lists ?? []) as number[];
    const lists = subscriber.lists.filter(({ id }) => ids.includes(id));
    const preconfirm = body.preconfirm_subscriptions === true;
    for (const list of lists) list.subscription_status = preconfirm ? 'confirmed' : 'unconfirmed';
    const { email, name, status, attribs } = body as unknown as TestSubscriber;
    Object.assign(subscriber, { email, name, status, attribs, lists });
    if (!preconfirm) this.askToConfirm(subscriber);
  }

  /** One on several of the lists is there several times. */
  private page(query: URLSearchParams): object {
    const wanted = query.getAll('list_id').map(Number);
    const asked = Number(query.get('per_page'));
    const [page, per_page] = [Number(query.get('page')), Math.min(asked, MAX_PER_PAGE)];
    if (SORT_FIELDS.includes(query.get('order_by') ?? ''))
      throw new Error('It has an order that is not stable');
    const direction = query.get('order') === 'ASC' ? 1 : -1;
    const all = [...this.subscribers.values()]
      .flatMap((subscriber) => subscriber.lists.filter(({ id }) => wanted.includes(id)).map(() => subscriber))
      .sort((a, b) => direction * (a.id - b.id));
    const results = all.slice((page - 1) * per_page, page * per_page);
    if (this.pages !== null) return this.otherPage(all, page, this.pages);
    return { results, query: '', total: all.length, per_page, page };
  }

  private otherPage(
    all: readonly TestSubscriber[],
    page: number,
    { size, isReversed = false, ...said }: NonNullable<ScriptedListmonk['pages']>,
  ): object {
    const results = (isReversed ? all.toReversed() : all).slice((page - 1) * size, page * size);
    const [per_page, total] = ['says' in said ? said.says : size, 'total' in said ? said.total : all.length];
    return { results, query: '', total, per_page, page };
  }
}
