import { tokenOf, USERS, type User } from '../recorded/listmonk/users.js';
import type { TestSubscriber } from './listmonk-people.js';
import { numberOf, type ListmonkVersion } from './listmonk-version.js';

/** What a user of a scripted listmonk may do. The users of version 3 may do everything. */
export class ListmonkAccess {
  private readonly user: User;

  private constructor(
    private readonly version: ListmonkVersion,
    readonly username: string,
  ) {
    this.user = USERS[username] ?? { permissions: [] };
  }

  /** A text: why it is refused. */
  static of(version: ListmonkVersion, header: string | undefined): ListmonkAccess | string {
    const isOld = numberOf(version) === 3;
    if (header === undefined) return isOld ? 'Unauthorized' : 'invalid session';
    const text = Buffer.from(header.replace(/^Basic /, ''), 'base64').toString();
    const [username = '', token = ''] = text.split(':');
    if (token === tokenOf(username) && username in USERS) return new ListmonkAccess(version, username);
    if (isOld) return 'Unauthorized';
    return token === '' ? 'code=400, message=empty `api_key` or `token`' : 'invalid API credentials';
  }

  can(permission: string): boolean {
    const { permissions } = this.user;
    return numberOf(this.version) === 3 || permissions.includes('*') || permissions.includes(permission);
  }

  /** Those of these lists that may be read; where there are none, all that may be read, and all lists if there are none. */
  readable(lists: readonly number[]): readonly number[] {
    if (this.can('lists:get_all') || this.can('lists:manage_all')) return lists;
    const own = this.user.lists ?? [];
    const both = lists.filter((id) => own.includes(id));
    return both.length > 0 ? both : own;
  }

  canRead(list: number): boolean {
    return (
      this.can('lists:get_all') || this.can('lists:manage_all') || (this.user.lists?.includes(list) ?? false)
    );
  }

  /** Those of these lists to which people may be subscribed. */
  manageable(lists: readonly number[]): number[] {
    return this.can('lists:manage_all') ? [...lists] : lists.filter((id) => this.user.lists?.includes(id));
  }

  /** The user's lists; null: all. */
  get managed(): readonly number[] | null {
    return this.can('lists:manage_all') ? null : (this.user.lists ?? []);
  }

  canSee({ lists }: Pick<TestSubscriber, 'lists'>): boolean {
    return this.can('subscribers:get_all') || lists.some(({ id }) => this.user.lists?.includes(id));
  }

  /** The lists of a subscriber have no names where they may not be read. */
  get masks(): boolean {
    return numberOf(this.version) >= 6 && !this.can('lists:get_all') && !this.can('lists:manage_all');
  }
}
