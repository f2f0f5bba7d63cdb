import { isObject } from '../../../../platform/database/checks/data-checks.js';

/** What the API user may do with lists. */
export class ListmonkProfile {
  /** @param managed ids of lists; null: all. */
  private constructor(private readonly managed: ReadonlySet<number> | null) {}

  /** Of versions without permissions. */
  static readonly unlimited = new ListmonkProfile(null);

  /** @param data of `GET /api/profile`. */
  static of(data: unknown): ListmonkProfile {
    const { user_role: role, list_role: lists } = isObject(data) ? data : {};
    const permissions = isObject(role) && Array.isArray(role.permissions) ? role.permissions : [];
    if (permissions.includes('*') || permissions.includes('lists:manage_all')) return this.unlimited;
    const own = isObject(lists) && Array.isArray(lists.lists) ? lists.lists : [];
    const isManaged = (list: unknown) =>
      isObject(list) && Array.isArray(list.permissions) && list.permissions.includes('list:manage');
    return new ListmonkProfile(new Set(own.filter(isManaged).map((list) => (list as { id: number }).id)));
  }

  managesAll(lists: readonly { id: number }[]): boolean {
    const { managed } = this;
    return managed === null || lists.every(({ id }) => managed.has(id));
  }
}
