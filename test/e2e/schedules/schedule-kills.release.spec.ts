import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { ScheduleApp } from '../../support/schedules/schedule-app.js';
import { ScriptedListmonk } from '../../support/schedules/scripted-listmonk.js';
import { OPENED } from '../../support/webhooks/webhook-app.js';

const READERS = 900;

let world: ScheduleApp;
let account: NewAccount;
let listmonk: ScriptedListmonk;
beforeAll(async () => {
  world = await ScheduleApp.start();
});
beforeEach(async () => {
  account = await world.app.anAccount();
  listmonk = await ScriptedListmonk.start();
  for (let n = 0; n < READERS; n++) listmonk.add(`reader${n}@list.invalid`);
});
afterEach(async () => {
  await RcptProcess.endAll();
  await listmonk.stop();
});
afterAll(() => world.stop());

const aWorker = () =>
  RcptProcess.run(['main.js', '--worker'], {
    ...OPENED,
    ...world.app.shared,
    PUBLIC_URL: world.app.url,
    PORT: '0',
    HOST: '127.0.0.1',
    DNS_SERVERS: '127.0.0.1:9',
  });
const isChange = (method: string) => method === 'PUT' || method === 'PATCH';

/** Runs the worker until it has sent so many requests of a kind; then kills it, and lets another one go on at once. */
async function killedAt(count: number, isMeant: (asked: { method: string; path: string }) => boolean) {
  let seen = 0;
  const reached = new Promise<void>((resolve) => {
    listmonk.before = (asked) => {
      if (isMeant(asked) && ++seen === count) resolve();
    };
  });
  const worker = aWorker();
  await reached;
  await worker.end('SIGKILL');
  listmonk.before = () => undefined;
  await world.endLeases();
  return aWorker();
}

/** Waits until the run of the schedule has this status. */
async function until(schedule: { id: string }, status: string) {
  for (;;) {
    const [run] = await world.runsOf(schedule, account);
    if (run?.status === status) return run;
    if (run !== undefined && run.finished_at !== null)
      throw new Error(`the run has ended: ${JSON.stringify(run)}`);
  }
}

const request = ({ id }: { id: string }) => world.app.post(`/v1/schedules/${id}/run`, account.liveKey);

it('a worker that is killed while it reads: another one goes on, and each subscriber is verified once', async () => {
  const schedule = await world.aSchedule(account, listmonk.source());
  await request(schedule);
  await killedAt(4, ({ path }) => path.startsWith('/api/subscribers?'));
  const run = await until(schedule, 'completed');
  expect(run).toMatchObject({ rows: READERS, verified: READERS, new: READERS });
  const lists = await world.sql('SELECT total FROM bulk_jobs WHERE schedule_id = $1', [schedule.id]);
  expect(lists).toEqual([{ total: READERS }]);
}, 90_000);

it('a worker that is killed while it writes: another one goes on, and nobody is written twice', async () => {
  const action = { on_result: { listmonk: 'attributes' } };
  const schedule = await world.aSchedule(account, listmonk.source(), action);
  await request(schedule);
  await killedAt(300, ({ method }) => isChange(method));
  const run = await until(schedule, 'completed');
  expect(run).toMatchObject({ written: READERS, not_written: 0 });
  const changed = listmonk.paths('PATCH');
  expect([changed.length, new Set(changed).size]).toEqual([READERS, READERS]);
  expect([...listmonk.subscribers.values()].every(({ attribs }) => 'rcpt' in attribs)).toBe(true);
}, 90_000);

it('a worker that is killed between a confirmation and the first change: another one writes, once', async () => {
  const action = { on_result: { listmonk: 'blocklist_undeliverable' } };
  const schedule = await world.aSchedule(account, listmonk.source(), action);
  await request(schedule);
  const first = aWorker();
  const asking = await until(schedule, 'needs_confirmation');
  await first.end();
  expect(listmonk.asked.some(({ method }) => isChange(method))).toBe(false);
  await world.app.post(`/v1/schedules/${schedule.id}/runs/${asking.id}/confirm`, account.liveKey);
  await killedAt(1, ({ path }) => /^\/api\/subscribers\/\d+$/.test(path));
  const run = await until(schedule, 'completed');
  expect(run).toMatchObject({ written: READERS, not_written: 0 });
  const blocked = [...listmonk.subscribers.values()].filter(({ status }) => status === 'blocklisted');
  expect(blocked).toHaveLength(READERS);
  const ids = listmonk.asked.flatMap(({ method, body }) => (method === 'PUT' ? (body?.ids as number[]) : []));
  expect([ids.length, new Set(ids).size]).toEqual([READERS, READERS]);
}, 90_000);
