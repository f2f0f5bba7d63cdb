import type { ListmonkAccess } from './listmonk-access.js';
import type { Change, ListmonkPeople, TestSubscriber } from './listmonk-people.js';
import { listView, profileView, subscriberView } from './listmonk-views.js';
import { numberOf } from './listmonk-version.js';

export interface Request {
  method: string;
  url: URL;
  body: Record<string, unknown> | null;
}

/** Status and body. */
export type Answer = readonly [number, object];

const DEFAULT_PAGE = 20;
const UNKNOWN_ENDPOINT: Answer = [404, { message: '404 unknown endpoint' }];
const NO_TOTAL =
  'Error fetching Subscribers: sql: Scan error on column index 0, name "total": converting NULL to int is unsupported';
const SORTED = ['email', 'status', 'name', 'created_at', 'updated_at'] as const;
const TIME = '2026-01-01T00:00:00Z';

/** What a listmonk of a version answers. `test/support/recorded/listmonk` shows that it does. */
export class ListmonkAnswers {
  /** Totals are those of the last count. */
  cachesTotals = false;

  constructor(private readonly people: ListmonkPeople) {}

  answer({ method, url, body }: Request, access: ListmonkAccess): Answer {
    if (method === 'GET' && url.pathname === '/api/profile' && this.major > 3)
      return data(profileView(this.people, access.username));
    const [, kind, id = '', action = ''] =
      /^\/api\/(subscribers|lists)(?:\/([^/]+))?(?:\/(blocklist))?$/.exec(url.pathname) ?? [];
    const isNamed = ['blocklist', 'lists'].includes(id);
    const route = `${method} ${kind}${id === '' ? '' : isNamed ? `/${id}` : '/:id'}${action && `/${action}`}`;
    const change = (body ?? {}) as Change & { ids?: number[]; target_list_ids?: number[] };
    const invalid = id !== '' && !isNamed && !(Number(id) >= 1);
    if (kind !== undefined && invalid && method !== 'POST' && method !== 'PATCH')
      return refusal(400, this.major > 3 ? 'invalid ID' : 'Invalid ID(s)');
    switch (route) {
      case 'GET subscribers':
        return this.page(url.searchParams, access);
      case 'GET subscribers/:id':
        return this.subscriber(Number(id), access);
      case 'POST subscribers':
        return this.subscribe(change, access);
      case 'DELETE subscribers/:id':
        this.people.subscribers.delete(Number(id));
        return data(true);
      case 'PATCH subscribers/:id':
        return this.major < 6 ? UNKNOWN_ENDPOINT : this.patch(Number(id), change, access);
      case 'PUT subscribers/:id':
        return this.replace(Number(id), change, access);
      case 'PUT subscribers/:id/blocklist':
        return this.blocklist([Number(id)], access);
      case 'PUT subscribers/blocklist':
        return this.blocklist(change.ids ?? [], access);
      case 'PUT subscribers/lists':
        this.people.unsubscribe(change.ids ?? [], change.target_list_ids ?? []);
        return data(true);
      case 'GET lists/:id':
        return this.list(Number(id), access);
      case 'POST lists':
        return data(listView(this.people, this.people.addList(body as never)));
      case 'DELETE lists/:id':
        return this.deleteList(Number(id));
      default:
        return UNKNOWN_ENDPOINT;
    }
  }

  private get major(): number {
    return numberOf(this.people.version);
  }

  /** One on several of the lists is there several times. */
  private page(query: URLSearchParams, access: ListmonkAccess): Answer {
    if (!access.can('subscribers:get_all') && !access.can('subscribers:get'))
      return refusal(403, 'permission denied: subscribers:get');
    const asked = query.getAll('list_id').map(Number);
    if (asked.some((id) => !Number.isInteger(id))) return refusal(400, 'Invalid ID(s)');
    const lists = access.readable(asked);
    const condition = query.get('query') ?? '';
    if (condition !== '' && !access.can('subscribers:sql_query'))
      return refusal(403, 'Permission denied: subscribers:sql_query');
    const [, above] = /^subscribers\.id>(\d+)$/.exec(condition) ?? [];
    if (condition !== '' && above === undefined) {
      const [column = ''] = condition.split('=');
      const [status, what] =
        this.major > 3 ? [400, 'preparing subscriber query'] : [500, 'fetching Subscribers'];
      return refusal(status, `Error ${what}: pq: column "${column}" does not exist`);
    }
    const search = this.major > 3 ? (query.get('search') ?? '') : '';
    const status = query.get('subscription_status') ?? '';
    const rows = sorted(this.people.rows(lists, status), query).filter(
      ({ id, email }) => id > Number(above ?? 0) && email.includes(search),
    );
    const total = this.major > 3 || condition !== '' ? rows.length : this.countedTotal(lists, status);
    if (total === null) return refusal(500, NO_TOTAL);
    const { page, per_page } = pagingOf(query);
    const found = rows
      .slice(per_page === 0 ? 0 : (page - 1) * per_page, per_page === 0 ? undefined : page * per_page)
      .map((subscriber) => subscriberView(this.people, subscriber, access));
    const results = found.length > 0 ? found : total === 0 ? [] : null;
    const said = this.major > 3 ? { search, query: condition } : { query: condition };
    return data({ results, ...said, total, per_page, page });
  }

  /** Version 3 counts a list without people as one row, and has no number for a list that is not there. */
  private countedTotal(lists: readonly number[], status: string): number | null {
    if (!this.cachesTotals) this.people.count();
    if (lists.length === 0) return this.people.subscribers.size;
    const counts = [...new Set(lists)].flatMap((id) => this.people.countsOf(id) ?? []);
    if (counts.length === 0) return null;
    const ofList = (count: ReadonlyMap<string, number>) =>
      status !== ''
        ? (count.get(status) ?? 0)
        : [...count.values()].reduce((sum, each) => sum + each, 0) || 1;
    return counts.reduce((sum, count) => sum + ofList(count), 0);
  }

  private subscriber(id: number, access: ListmonkAccess): Answer {
    if (!access.can('subscribers:get_all') && !access.can('subscribers:get'))
      return refusal(403, 'permission denied: subscribers:get');
    return this.seen(id, access, (subscriber) => data(subscriberView(this.people, subscriber, access)));
  }

  private subscribe(change: Change, access: ListmonkAccess): Answer {
    if (this.people.byEmail(change.email ?? '') !== undefined) {
      this.people.nextId();
      return refusal(409, 'E-mail already exists.');
    }
    return data(subscriberView(this.people, this.people.subscribe(change), access));
  }

  private patch(id: number, change: Change, access: ListmonkAccess): Answer {
    if (!access.can('subscribers:manage')) return refusal(403, 'permission denied: subscribers:manage');
    return this.seen(id, access, (subscriber) => {
      if (typeof change.attribs === 'string')
        return refusal(
          400,
          'Unmarshal type error: expected=models.JSON, got=string, field=Subscriber.attribs, offset=17',
        );
      if (change.email !== undefined && !change.email.includes('@')) return refusal(400, 'Invalid email.');
      this.people.patch(subscriber, change);
      return data(subscriberView(this.people, subscriber, access));
    });
  }

  private replace(id: number, change: Change, access: ListmonkAccess): Answer {
    if (!access.can('subscribers:manage')) return refusal(403, 'permission denied: subscribers:manage');
    if (!(change.email ?? '').includes('@')) return refusal(400, 'Invalid email.');
    const lists = access.manageable(change.lists ?? []);
    if (this.major >= 6 && (change.lists ?? []).length > 0 && lists.length === 0)
      return refusal(403, 'Permission denied: lists');
    const subscriber = this.people.subscribers.get(id);
    if (subscriber === undefined) return refusal(500, unknownRow(lists[0]));
    if (this.major >= 6 && !access.canSee(subscriber))
      return refusal(403, `Permission denied: subscriber: ${id}`);
    const other = this.people.byEmail(change.email ?? '');
    if (other !== undefined && other.id !== id) return refusal(500, knownEmail(change.email ?? ''));
    // Before version 6 a subscriber leaves lists that the user may not change.
    const { managed } = access;
    const kept =
      this.major >= 6 && managed !== null
        ? subscriber.lists.map((list) => list.id).filter((list) => !managed.includes(list))
        : [];
    this.people.replace(subscriber, change, lists, kept);
    return data(subscriberView(this.people, subscriber, access));
  }

  /** Whether they are there is not asked. */
  private blocklist(ids: readonly number[], access: ListmonkAccess): Answer {
    if (!access.can('subscribers:manage')) return refusal(403, 'permission denied: subscribers:manage');
    if (ids.length === 0)
      return refusal(400, this.major > 3 ? 'One or more IDs are invalid: ids' : 'No IDs given.');
    const unseen = ids.find((id) => {
      const subscriber = this.people.subscribers.get(id);
      return this.major >= 6 && subscriber !== undefined && !access.canSee(subscriber);
    });
    if (unseen !== undefined) return refusal(403, `Permission denied: subscriber: ${unseen}`);
    this.people.blocklist(ids);
    return data(true);
  }

  private list(id: number, access: ListmonkAccess): Answer {
    if (!access.canRead(id)) return refusal(403, 'permission denied');
    const list = this.people.lists.get(id);
    return list === undefined ? refusal(400, 'List not found') : data(listView(this.people, list));
  }

  private deleteList(id: number): Answer {
    this.people.lists.delete(id);
    for (const subscriber of this.people.subscribers.values())
      subscriber.lists = subscriber.lists.filter((list) => list.id !== id);
    return data(true);
  }

  private seen(id: number, access: ListmonkAccess, answer: (subscriber: TestSubscriber) => Answer): Answer {
    const subscriber = this.people.subscribers.get(id);
    if (subscriber === undefined) return refusal(400, `Subscriber (${id}: ) not found`);
    return access.canSee(subscriber)
      ? answer(subscriber)
      : refusal(403, `Permission denied: subscriber: ${id}`);
  }
}

function data(value: unknown): Answer {
  return [200, { data: value }];
}

export function refusal(status: number, message: string): Answer {
  return [status, { message }];
}

/** Only `asc` in lower case is ascending. An unknown member is the id. */
function sorted(rows: readonly TestSubscriber[], query: URLSearchParams): TestSubscriber[] {
  const direction = query.get('order') === 'asc' ? 1 : -1;
  const by = SORTED.find((name) => name === query.get('order_by'));
  const textOf = (subscriber: TestSubscriber) =>
    by === undefined || by.endsWith('_at') ? '' : subscriber[by as 'email' | 'status' | 'name'];
  return rows.toSorted(
    (a, b) => direction * (textOf(a) === textOf(b) ? a.id - b.id : textOf(a) < textOf(b) ? -1 : 1),
  );
}

/** 0: all. */
function pagingOf(query: URLSearchParams): { page: number; per_page: number } {
  const asked = query.get('per_page');
  const size = Number(asked);
  const page = Number(query.get('page'));
  const isAll = asked === 'all' || size < 0;
  return { page: page >= 1 ? page : 1, per_page: isAll ? 0 : size >= 1 ? size : DEFAULT_PAGE };
}

function unknownRow(list = 0): string {
  return (
    'Error updating Subscriber: pq: null value in column "subscriber_id" of relation "subscriber_lists" violates ' +
    `not-null constraint. Failing row contains (null, ${list}, {}, unconfirmed, ${TIME}, ${TIME}).`
  );
}

function knownEmail(email: string): string {
  return (
    'Error updating Subscriber: pq: duplicate key value violates unique constraint "subscribers_email_key". ' +
    `Key (email)=(${email}) already exists.`
  );
}
