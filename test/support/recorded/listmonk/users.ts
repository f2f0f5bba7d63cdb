export interface User {
  permissions: readonly string[];
  /** Those that the user may read and change. Absent: as the permissions say. */
  lists?: readonly number[];
}

/** Who may do everything. */
export const ADMIN = 'admin';

/** The API users of a recording. */
export const USERS: Readonly<Record<string, User>> = {
  [ADMIN]: { permissions: ['*'] },
  rcpt: { permissions: ['lists:get_all', 'lists:manage_all', 'subscribers:get_all', 'subscribers:manage'] },
  writer: { permissions: ['lists:get_all', 'subscribers:get_all', 'subscribers:manage'] },
  reader: { permissions: ['subscribers:get_all'] },
  few: { permissions: ['subscribers:get', 'subscribers:manage'], lists: [2] },
  nobody: { permissions: ['campaigns:get'] },
};

/** What stands for the token of a user. */
export function tokenOf(username: string): string {
  return `token-of-${username}`;
}
