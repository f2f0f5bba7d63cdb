export interface Step {
  /** A user of `users.ts`. */
  as?: string;
  /** In place of the user's token. null: without a header. */
  token?: string | null;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  /** Once for each number, which stands in place of `{n}`. */
  each?: readonly [number, number];
}

/** What happens without a request of ours. */
export type Event = 'users are added' | 'totals are cached' | 'totals are counted';

export interface Scene {
  title: string;
  steps: readonly (Step | Event)[];
}

/** A list of whole pages, of all sizes that are asked for. */
export const PEOPLE: readonly [number, number] = [1, 250];

export const [EVERYBODY, FEW, DOUBLE, OTHER, EMPTY, NEW] = [1, 2, 3, 4, 5, 6];
/** On two lists, of which `few` sees one. */
export const [ON_TWO, ON_TWO_TOO, ON_TWO_LAST] = [251, 252, 253];
export const [UNCONFIRMED, CONFIRMED] = [254, 255];
/** On a list that `few` does not see. */
export const UNSEEN = 256;
export const [LEFT, BLOCKED_ONE, BLOCKED, BLOCKED_TOO, UNCONFIRMED_SINGLE, MOVED] = [
  257, 258, 259, 260, 261, 262,
];
export const UNKNOWN = 9999;

export const RESULT = {
  status: 'undeliverable',
  reason: 'no_mailbox',
  score: 0,
  verified_at: '2026-01-02T03:04:05.000Z',
};

export const get = (path: string, more: Partial<Step> = {}): Step => ({ method: 'GET', path, ...more });
export const change = (
  method: Step['method'],
  path: string,
  body?: unknown,
  more: Partial<Step> = {},
): Step => ({
  method,
  path,
  ...(body === undefined ? {} : { body }),
  ...more,
});
export const page = (query: string, more: Partial<Step> = {}) => get(`/api/subscribers?${query}`, more);
export const subscriber = (id: number | string, more: Partial<Step> = {}) =>
  get(`/api/subscribers/${id}`, more);
export const patch = (id: number, body: object, more: Partial<Step> = {}) =>
  change('PATCH', `/api/subscribers/${id}`, body, more);
export const put = (id: number, body: object, more: Partial<Step> = {}) =>
  change('PUT', `/api/subscribers/${id}`, body, more);
export const list = (name: string, optin: string) =>
  change('POST', '/api/lists', { name, type: 'private', optin, tags: [] }, { as: 'admin' });
export const person = (name: string, lists: number[], more: object = {}): Step =>
  change(
    'POST',
    '/api/subscribers',
    { email: `${name}@example.com`, name, status: 'enabled', lists, ...more },
    { as: 'admin' },
  );
export const confirmed = { preconfirm_subscriptions: true };
export const whole = (name: string, lists: number[], more: object = {}) => ({
  email: `${name}@example.com`,
  name,
  status: 'enabled',
  lists,
  ...more,
});
