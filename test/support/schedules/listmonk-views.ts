import type { ListmonkAccess } from './listmonk-access.js';
import type { ListmonkPeople, Subscription, TestList, TestSubscriber } from './listmonk-people.js';
import { USERS } from '../recorded/listmonk/users.js';
import { numberOf } from './listmonk-version.js';

const TIME = '2026-01-01T00:00:00Z';
const UUID = '00000000-0000-4000-8000-000000000000';
const TIMES = { created_at: TIME, updated_at: TIME };
const MADE = { ...TIMES, uuid: UUID };

/** A subscriber as JSON. */
export function subscriberView(
  people: ListmonkPeople,
  { id, email, name, attribs, status, lists }: TestSubscriber,
  access: ListmonkAccess,
): object {
  const views = lists.map((list) => subscriptionView(people, list, access.masks && !access.canRead(list.id)));
  return { id, ...MADE, email, name, attribs, status, lists: views };
}

/** A list as JSON. Its numbers are those of the last count. */
export function listView(people: ListmonkPeople, list: TestList): object {
  const { id, name, type, optin } = list;
  const counts = people.countsOf(id);
  return {
    id,
    ...MADE,
    name,
    type,
    optin,
    ...statusOf(people),
    tags: [],
    description: '',
    subscriber_count: [...(counts?.values() ?? [])].reduce((sum, count) => sum + count, 0),
    subscriber_statuses: Object.fromEntries(counts ?? []),
    subscription_created_at: null,
    subscription_updated_at: null,
  };
}

/** A user as JSON. The owner and the first role are made before those of the recordings. */
export function profileView(people: ListmonkPeople, username: string): object {
  const names = Object.keys(USERS);
  const { permissions = [], lists } = USERS[username] ?? {};
  const ofLists = lists?.map((id) => ({
    id,
    name: people.lists.get(id)?.name,
    permissions: ['list:get', 'list:manage'],
  }));
  const role = names.indexOf(username) + 1;
  return {
    id: names.indexOf(username) + 2,
    ...TIMES,
    username,
    password: null,
    password_login: true,
    email: null,
    name: username,
    type: 'api',
    status: 'enabled',
    avatar: null,
    ...(numberOf(people.version) >= 6 ? { twofa_type: 'none' } : {}),
    loggedin_at: null,
    ...(ofLists === undefined ? {} : { list_role_id: role + 1 }),
    user_role: { id: role, name: username, permissions },
    list_role: ofLists === undefined ? null : { id: role + 1, name: username, lists: ofLists },
  };
}

function subscriptionView(
  people: ListmonkPeople,
  { id, subscription_status, optin }: Subscription,
  isMasked: boolean,
): object {
  const { name = `List ${id}`, type = 'private' } = people.lists.get(id) ?? {};
  return {
    subscription_status,
    subscription_created_at: TIME,
    subscription_updated_at: TIME,
    subscription_meta: {},
    id,
    ...MADE,
    name: isMasked ? '*Unknown' : name,
    type,
    optin,
    ...statusOf(people),
    tags: null,
    ...(isMasked ? { restricted: true } : { description: '' }),
  };
}

/** Lists have a status since version 6. */
function statusOf({ version }: ListmonkPeople): { status?: string } {
  return numberOf(version) >= 6 ? { status: 'active' } : {};
}
