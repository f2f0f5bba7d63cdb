import { numberOf, type ListmonkVersion } from './listmonk-version.js';

export interface Subscription {
  id: number;
  subscription_status: string;
  optin: 'single' | 'double';
}

export interface TestSubscriber {
  id: number;
  email: string;
  name: string;
  status: 'enabled' | 'disabled' | 'blocklisted';
  attribs: Record<string, unknown>;
  lists: Subscription[];
}

export interface TestList {
  id: number;
  name: string;
  type: string;
  optin: 'single' | 'double';
}

export interface Change {
  email?: string;
  name?: string;
  status?: TestSubscriber['status'];
  attribs?: Record<string, unknown> | null;
  lists?: number[];
  preconfirm_subscriptions?: boolean;
}

/** The lists and subscribers of a scripted listmonk, and what its changes do to them. */
export class ListmonkPeople {
  readonly subscribers = new Map<number, TestSubscriber>();
  readonly lists = new Map<number, TestList>();
  version: ListmonkVersion = '6.2.0';
  /** Addresses that were asked, by mail, to confirm a subscription. */
  readonly asksToConfirm: string[] = [];
  /** Subscriptions by list and status when they were counted; null: there is no such list. */
  private counted = new Map<number, Map<string, number>>();
  private lastSubscriber = 0;
  private lastList = 0;

  addList(list: Omit<TestList, 'id'>): TestList {
    const added = { id: ++this.lastList, ...list };
    this.lists.set(added.id, added);
    return added;
  }

  /** A list that is not there yet is made. */
  add(email: string, more: Partial<TestSubscriber> = {}): TestSubscriber {
    const id = this.nextId();
    const lists = [{ id: 1, subscription_status: 'confirmed', optin: 'double' as const }];
    const added = { id, email, name: `N ${id}`, status: 'enabled' as const, attribs: {}, lists, ...more };
    for (const { id: list, optin } of added.lists)
      if (!this.lists.has(list))
        this.lists.set(list, { id: list, name: `List ${list}`, type: 'private', optin });
    this.subscribers.set(id, added);
    return added;
  }

  /** The number of an attempt that fails is used too. */
  nextId(): number {
    return ++this.lastSubscriber;
  }

  byEmail(email: string): TestSubscriber | undefined {
    return [...this.subscribers.values()].find((subscriber) => subscriber.email === email);
  }

  /** Subscriptions of these lists; all subscribers where there are none: one on two lists is there twice. */
  rows(lists: readonly number[], status = ''): TestSubscriber[] {
    const all = [...this.subscribers.values()];
    if (lists.length === 0) return all;
    const isMeant = ({ id, subscription_status: is }: Subscription) =>
      lists.includes(id) && (status === '' || status === is);
    return all.flatMap((subscriber) => subscriber.lists.filter(isMeant).map(() => subscriber));
  }

  subscribe({ preconfirm_subscriptions: preconfirm, lists = [], ...person }: Change): TestSubscriber {
    const subscriber = this.add(person.email ?? '', {
      name: person.name ?? '',
      attribs: person.attribs ?? {},
      lists: [],
    });
    this.subscribeTo(subscriber, lists, preconfirm === true);
    if (preconfirm !== true) this.askToConfirm(subscriber);
    return subscriber;
  }

  unsubscribe(ids: readonly number[], lists: readonly number[]): void {
    for (const id of ids)
      for (const subscription of this.subscribers.get(id)?.lists ?? [])
        if (lists.includes(subscription.id)) subscription.subscription_status = 'unsubscribed';
  }

  /** Ends all subscriptions, of all lists. */
  blocklist(ids: readonly number[]): void {
    for (const id of ids) {
      const subscriber = this.subscribers.get(id);
      if (subscriber === undefined) continue;
      subscriber.status = 'blocklisted';
      this.unsubscribe([id], [...this.lists.keys()]);
    }
  }

  /** Members that are absent stay; attributes are merged, and null ends them. */
  patch(subscriber: TestSubscriber, change: Change): void {
    const { attribs, preconfirm_subscriptions: preconfirm, lists, ...members } = change;
    Object.assign(subscriber, members);
    if (attribs === null) subscriber.attribs = {};
    else Object.assign(subscriber.attribs, attribs);
    if (lists !== undefined) this.replaceLists(subscriber, lists, preconfirm === true);
    if (preconfirm !== true) this.askToConfirm(subscriber);
  }

  /** @param kept lists from which the subscriber is not removed */
  replace(
    subscriber: TestSubscriber,
    change: Change,
    lists: readonly number[],
    kept?: readonly number[],
  ): void {
    const preconfirm = change.preconfirm_subscriptions === true;
    const { email = '', name = '', status = subscriber.status, attribs } = change;
    Object.assign(subscriber, { email, name, status, attribs: attribs ?? {} });
    this.replaceLists(subscriber, [...lists, ...(kept ?? [])], preconfirm, lists);
    if (!preconfirm) this.askToConfirm(subscriber);
  }

  /** Fills the view from which totals are taken. */
  count(): void {
    this.counted = new Map();
    for (const id of this.lists.keys()) {
      const counts = new Map<string, number>();
      for (const { lists } of this.subscribers.values())
        for (const { id: list, subscription_status: status } of lists)
          if (list === id) counts.set(status, (counts.get(status) ?? 0) + 1);
      this.counted.set(id, counts);
    }
  }

  countsOf(list: number): ReadonlyMap<string, number> | null {
    return this.counted.get(list) ?? null;
  }

  private replaceLists(
    subscriber: TestSubscriber,
    remaining: readonly number[],
    preconfirm: boolean,
    wanted: readonly number[] = remaining,
  ): void {
    subscriber.lists = subscriber.lists.filter(({ id }) => remaining.includes(id));
    this.subscribeTo(subscriber, wanted, preconfirm);
  }

  /** What has ended or is confirmed stays so. Version 3 confirms only new subscriptions. */
  private subscribeTo(subscriber: TestSubscriber, lists: readonly number[], preconfirm: boolean): void {
    const confirms = preconfirm && numberOf(this.version) > 3;
    for (const id of lists) {
      const list = this.lists.get(id);
      const existing = subscriber.lists.find((subscription) => subscription.id === id);
      if (existing?.subscription_status === 'unconfirmed' && confirms)
        existing.subscription_status = 'confirmed';
      if (existing !== undefined || list === undefined) continue;
      const subscription_status = preconfirm ? 'confirmed' : 'unconfirmed';
      subscriber.lists.push({ id, subscription_status, optin: list.optin });
    }
    subscriber.lists.sort((a, b) => a.id - b.id);
  }

  /** As after each change, unless it confirms. */
  private askToConfirm({ email, lists }: TestSubscriber): void {
    if (lists.some((list) => list.subscription_status === 'unconfirmed' && list.optin === 'double'))
      this.asksToConfirm.push(email);
  }
}
