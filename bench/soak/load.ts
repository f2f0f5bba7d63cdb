import { setTimeout as pause } from 'node:timers/promises';

/** The service under load. */
export interface Target {
  url: string;
  live: string;
  test: string;
  /** Addresses in the mail world. */
  emails: readonly string[];
}

type Act = (target: Target, turn: number) => Promise<number[]>;

const ROWS = 200;
const LISTS = ['/v1/keys', '/v1/blocklist', '/v1/bulk-jobs', '/v1/usage', '/v1/team', '/v1/me', '/readyz'];
const MISTAKES = [
  '/v1/verify',
  '/v1/nothing',
  '/v1/bulk-jobs/job_none',
  '/v1/keys?limit=0',
  '/v1/keys?cursor=x',
];

/** Concurrent activities with their numbers of clients. */
export const LOAD: Readonly<Record<string, { at: number; act: Act }>> = {
  'verify, live': { at: 12, act: verifyLive },
  'verify, test key': {
    at: 2,
    act: ({ url, test }, n) => statuses(get(`${url}/v1/verify?email=u${n}@x.org`, test)),
  },
  lists: { at: 2, act: ({ url, live }, n) => statuses(get(url + LISTS[n % LISTS.length], live)) },
  mistakes: {
    at: 2,
    act: ({ url, live }, n) => statuses(get(url + MISTAKES[n % MISTAKES.length], n % 7 ? live : 'no')),
  },
  'idempotent posts': { at: 2, act: postTwice },
  'bulk jobs': { at: 2, act: bulkJob },
};

/** Every third address is new, the others are cached for the team. */
function verifyLive({ url, live, emails }: Target, turn: number): Promise<number[]> {
  const email = turn % 3 === 0 ? `u${turn}@plain.mailworld` : (emails[turn % emails.length] ?? '');
  return statuses(get(`${url}/v1/verify?timeout=3&email=${encodeURIComponent(email)}`, live));
}

async function postTwice({ url, live }: Target, turn: number): Promise<number[]> {
  const domain = `d${turn}.example.org`;
  const post = () =>
    fetch(`${url}/v1/blocklist`, {
      method: 'POST',
      headers: { ...bearer(live), 'content-type': 'application/json', 'idempotency-key': domain },
      body: JSON.stringify({ domain }),
    });
  const seen = [...(await statuses(post())), ...(await statuses(post()))];
  const gone = fetch(`${url}/v1/blocklist/${domain}`, { method: 'DELETE', headers: bearer(live) });
  return [...seen, ...(await statuses(gone))];
}

/** Submits a list, waits for its end, reads its results and deletes it. */
async function bulkJob({ url, test }: Target, turn: number): Promise<number[]> {
  const emails = Array.from({ length: ROWS }, (_, row) => `u${row}.${turn}@x.org`);
  const submitted = await fetch(`${url}/v1/verify/bulk`, {
    method: 'POST',
    headers: { ...bearer(test), 'content-type': 'application/json' },
    body: JSON.stringify({ emails }),
  });
  const { id } = (await submitted.json()) as { id?: string };
  if (id === undefined) return [submitted.status];
  for (let done = false; !done; await pause(100)) {
    const job = await get(`${url}/v1/bulk-jobs/${id}`, test);
    done = ((await job.json()) as { status: string }).status === 'completed';
  }
  const table = get(`${url}/v1/bulk-jobs/${id}/results`, test, { accept: 'text/csv' });
  const seen = [submitted.status, ...(await statuses(table))];
  const gone = fetch(`${url}/v1/bulk-jobs/${id}`, { method: 'DELETE', headers: bearer(test) });
  return [...seen, ...(await statuses(gone))];
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

function get(url: string, key: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers: { ...bearer(key), ...headers } });
}

async function statuses(asking: Promise<Response>): Promise<number[]> {
  const answer = await asking;
  await answer.arrayBuffer();
  return [answer.status];
}
