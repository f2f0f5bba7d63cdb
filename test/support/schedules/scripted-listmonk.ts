import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tokenOf } from '../recorded/listmonk/users.js';
import { ListmonkAccess } from './listmonk-access.js';
import { ListmonkAnswers, refusal, type Answer } from './listmonk-answers.js';
import { ListmonkPeople, type TestSubscriber } from './listmonk-people.js';
import { numberOf, type ListmonkVersion } from './listmonk-version.js';

export type { TestSubscriber } from './listmonk-people.js';

interface Asked {
  method: string;
  path: string;
  body: Record<string, unknown> | null;
}

const CREDENTIALS = { username: 'rcpt', token: tokenOf('rcpt') };

/** A listmonk over HTTP that answers as the recorded releases do. */
export class ScriptedListmonk {
  static readonly credentials = CREDENTIALS;
  readonly people = new ListmonkPeople();
  readonly asked: Asked[] = [];
  /** Pages that differ from the recorded ones: their size is not that which was asked for. */
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
  readonly answers = new ListmonkAnswers(this.people);

  private constructor(private readonly server: Server) {}

  static async start(version: ListmonkVersion = '6.2.0'): Promise<ScriptedListmonk> {
    const server = createServer();
    const listmonk = new ScriptedListmonk(server);
    listmonk.people.version = version;
    server.on('request', (request, response) => void listmonk.answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return listmonk;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get subscribers(): Map<number, TestSubscriber> {
    return this.people.subscribers;
  }

  /** Addresses that were asked, by mail, to confirm a subscription. */
  get asksToConfirm(): string[] {
    return this.people.asksToConfirm;
  }

  /** Another release. Those before 6 change whole subscribers only. */
  set version(version: ListmonkVersion) {
    this.people.version = version;
  }

  /** The source of a schedule. */
  source(lists: readonly number[] = [1]): object {
    return { kind: 'listmonk', url: this.url, ...CREDENTIALS, lists };
  }

  add(email: string, more: Partial<TestSubscriber> = {}): TestSubscriber {
    return this.people.add(email, more);
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
    const [status, body] =
      failure === undefined
        ? this.answerOf(asked, request.headers.authorization)
        : refusal(failure, 'an error');
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  private answerOf(asked: Asked, authorization: string | undefined): Answer {
    const url = new URL(asked.path, this.url);
    const major = numberOf(this.people.version);
    // A path that it does not have is not asked for a token.
    const isKnown = asked.method !== 'PATCH' || major >= 6;
    const access = ListmonkAccess.of(this.people.version, authorization);
    if (typeof access === 'string')
      return isKnown ? refusal(major === 3 ? 401 : 403, access) : refusal(404, '404 unknown endpoint');
    const refused = this.refusalOf(asked, url);
    if (refused !== undefined) return refusal(refused, 'an error');
    if (this.pages !== null && asked.method === 'GET' && url.pathname === '/api/subscribers')
      return [200, { data: this.otherPage(url.searchParams, this.pages) }];
    return this.answers.answer({ ...asked, url }, access);
  }

  private refusalOf({ method, body }: Asked, { pathname }: URL): number | undefined {
    if (method === 'GET') return undefined;
    const [, digits] = /^\/api\/subscribers\/(\d+)/.exec(pathname) ?? [];
    const ids = digits === undefined ? ((body?.ids ?? []) as number[]) : [Number(digits)];
    return ids.flatMap((id) => this.refused.get(id) ?? [])[0];
  }

  private otherPage(
    query: URLSearchParams,
    { size, isReversed = false, ...said }: NonNullable<ScriptedListmonk['pages']>,
  ): object {
    const page = Number(query.get('page'));
    const ascending = this.people.rows(query.getAll('list_id').map(Number)).sort((a, b) => a.id - b.id);
    const all = (query.get('order') === 'asc') === isReversed ? ascending.toReversed() : ascending;
    const results = all.slice((page - 1) * size, page * size);
    const [per_page, total] = ['says' in said ? said.says : size, 'total' in said ? said.total : all.length];
    const isNull = results.length === 0 && typeof total === 'number';
    return { results: isNull ? null : results, query: '', total, per_page, page };
  }
}
