import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { SourceLimits } from '../../../src/modules/lists/schedules/domain/source-limits.js';
import type { ScheduleResponse } from '../../../src/modules/lists/schedules/schedules.dto.js';
import type { TestApp } from '../../support/app/app.js';
import { advanceRuns, ScheduleApp, serve } from '../../support/schedules/schedule-app.js';
import { ScriptedListmonk } from '../../support/schedules/scripted-listmonk.js';
import { silent } from '../../support/webhooks/webhook-receiver.js';

const DAY_MS = 86_400_000;
const LIST = 'email\none@list.invalid\n';

let world: ScheduleApp;
let other: TestApp;
let account: NewAccount;
let listmonk: ScriptedListmonk;
let limits: SourceLimits;
beforeAll(async () => {
  world = await ScheduleApp.start();
  other = await world.another();
  limits = world.app.service.app.get(SourceLimits);
});
beforeEach(async () => {
  account = await world.app.anAccount();
  listmonk = await ScriptedListmonk.start();
});
afterEach(async () => {
  Object.assign(limits, new SourceLimits());
  await listmonk.stop();
});
afterAll(async () => {
  await other.stop();
  await world.stop();
});

const limit = (changed: Partial<SourceLimits>) => Object.assign(limits, changed);
const patch = ({ id }: { id: string }, body: object) =>
  world.app.request('patch', `/v1/schedules/${id}`, account.liveKey).send(body);
const request = ({ id }: { id: string }, of = account) =>
  world.app.post(`/v1/schedules/${id}/run`, of.liveKey);
const signal = () => new AbortController().signal;
const pagesAsked = () => listmonk.paths('GET').filter((path) => path.startsWith('/api/subscribers?'));

// First: later there are more schedules that are due.
describe('a change of a schedule that is due', () => {
  it.each<[string, object]>([
    ['its name', { name: 'Another' }],
    ['its age', { max_age_days: 3 }],
    ['nothing, with all members', { every: 'month', at: 3, enabled: true }],
  ])('does not lose its run: %s', async (_, change) => {
    const source = await world.aSource(LIST);
    const schedule = await world.aSchedule(account, { kind: 'url', url: source.url }, { every: 'month' });
    world.app.clock.advance(32 * DAY_MS);
    const changed = (await patch(schedule, change)).body as ScheduleResponse;
    expect(changed.next_run_at).toBe(schedule.next_run_at);
    await world.runs.startDue();
    expect(await world.runsOf(schedule, account)).toHaveLength(1);
    await world.work();
  });

  it.each([{ every: 'week' }, { at: 4 }])('plans anew with %j', async (change) => {
    const source = await world.aSource(LIST);
    // Not within a week, whatever the day and the hour of the test are.
    const dayOfMonth = new Date(world.app.clock.now().getTime() + 14 * DAY_MS).getUTCDate();
    const schedule = await world.aSchedule(
      account,
      { kind: 'url', url: source.url },
      { every: 'month', day_of_month: dayOfMonth },
    );
    const changed = (await patch(schedule, change)).body as ScheduleResponse;
    expect(changed.next_run_at).not.toBe(schedule.next_run_at);
  });
});

describe('the reading of a listmonk', () => {
  it('goes on in another process where a killed one was, and each subscriber is verified once', async () => {
    for (let n = 0; n < 2_000; n++) listmonk.add(`reader${n}@list.invalid`);
    const schedule = await world.aSchedule(account, listmonk.source());
    await request(schedule);
    const killed = new AbortController();
    listmonk.before = () => {
      if (pagesAsked().length === 5) killed.abort();
    };
    const leased = await world.runs.claim(account.team.id);
    await world.advanceRun(leased!, killed.signal);
    const [{ rows } = { rows: 0 }] = await world.runsOf(schedule, account);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(2_000);
    const before = pagesAsked().length;
    await world.endLeases();
    await advanceRuns(other);
    expect(pagesAsked().slice(before)).not.toContain(pagesAsked()[0]);
    await world.work();
    expect(await world.runsOf(schedule, account)).toMatchObject([
      { status: 'completed', rows: 2_000, verified: 2_000 },
    ]);
  });

  it('gives its place to others after its turn, and goes on later', async () => {
    for (let n = 0; n < 1_200; n++) listmonk.add(`reader${n}@list.invalid`);
    const schedule = await world.aSchedule(account, listmonk.source());
    limit({ turnMs: 0 });
    await request(schedule);
    const leased = await world.runs.claim(account.team.id);
    await world.advanceRun(leased!, signal());
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'queued', rows: 250 }]);
    limit({ turnMs: 600_000 });
    await world.work();
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'completed', rows: 1_200 }]);
  });

  it('that answers with far more than was asked for is no listmonk', async () => {
    const many = Array.from({ length: 40_000 }, (_, n) => ({
      id: n + 1,
      email: `reader${n}@list.invalid`,
      attribs: { note: 'x'.repeat(100) },
      lists: [{ id: 1 }],
    }));
    listmonk.add('reader@list.invalid');
    const page = JSON.stringify({ data: { results: many, total: many.length, per_page: 40_000 } });
    const schedule = await world.aSchedule(account, listmonk.source());
    listmonk.instead = ({ path }, response) =>
      path.startsWith('/api/subscribers?') &&
      response.writeHead(200, { 'content-type': 'application/json' }).end(page) !== null;
    expect(await world.run(schedule, account)).toMatchObject({
      status: 'failed',
      failure: { code: 'not_listmonk' },
      job_id: null,
    });
    expect(pagesAsked().length).toBeLessThan(10);
  });
});

describe('a reading that waits for its source', () => {
  /** One that never ends by itself, with the closing of its connection. */
  async function waiting() {
    const source = await world.aSource();
    let close = () => {};
    const closed = new Promise<void>((resolve) => (close = resolve));
    source.behave = (response: ServerResponse) => {
      response.once('close', close);
      response.writeHead(200, { 'content-type': 'text/csv' }).write(LIST);
    };
    const schedule = await world.aSchedule(account, { kind: 'url', url: source.url });
    await request(schedule);
    limit({ renewMs: 50 });
    const leased = await world.runs.claim(account.team.id);
    const work = world.advanceRun(leased!, signal());
    await source.until(1);
    return { source, schedule, ended: Promise.all([closed, work]) };
  }

  it.each<[string, (schedule: ScheduleResponse) => Promise<unknown>]>([
    ['the schedule is deleted', ({ id }) => world.app.delete(`/v1/schedules/${id}`, account.liveKey)],
    ['the team is deleted', () => world.sql('DELETE FROM teams WHERE id = $1', [account.team.id])],
    [
      'the team is suspended',
      () => world.sql(`UPDATE teams SET base_tier = 'suspended' WHERE id = $1`, [account.team.id]),
    ],
    ['the schedule is disabled', (schedule) => patch(schedule, { enabled: false })],
    [
      'the source is another one',
      async (schedule) => patch(schedule, { source: { kind: 'url', url: (await world.aSource()).url } }),
    ],
  ])('ends at once when %s', async (_, change) => {
    const { schedule, ended } = await waiting();
    await change(schedule);
    await ended;
    expect(await world.sql('SELECT FROM bulk_jobs WHERE schedule_id = $1', [schedule.id])).toEqual([]);
  });

  it('is over with the disabling of its schedule, which is no failure', async () => {
    const { schedule, ended } = await waiting();
    await patch(schedule, { enabled: false });
    await ended;
    await world.work();
    expect(await world.runsOf(schedule, account)).toMatchObject([
      { status: 'failed', failure: { code: 'disabled' } },
    ]);
    const [row] = await world.sql('SELECT failures FROM schedules WHERE id = $1', [schedule.id]);
    expect(row).toEqual({ failures: 0 });
  });

  it('begins anew with a source that was changed', async () => {
    const { schedule, ended } = await waiting();
    const next = await world.aSource('email\ntwo@list.invalid\nthree@list.invalid\n');
    await patch(schedule, { source: { kind: 'url', url: next.url } });
    await ended;
    await world.work();
    expect(await world.runsOf(schedule, account)).toMatchObject([
      { status: 'completed', rows: 2, verified: 2 },
    ]);
  });
});

describe('readings that last', () => {
  it('have a quarter of all places, so that others are read meanwhile', async () => {
    limit({ shortMs: 30, longAtOnce: 2 });
    const slow = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const of = await world.app.anAccount();
        const source = await world.aSource();
        source.behave = silent;
        const schedule = await world.aSchedule(of, { kind: 'url', url: source.url });
        await request(schedule, of);
        return { of, source, schedule };
      }),
    );
    const stop = new AbortController();
    const work: Promise<void>[] = [];
    for (const { of } of slow) {
      const leased = await world.runs.claim(of.team.id);
      work.push(world.advanceRun(leased!, stop.signal));
    }
    // Two of them give their place back.
    let left = work.length;
    await new Promise<void>((resolve) => {
      for (const each of work) void each.then(() => --left === 2 && resolve());
    });
    const claims = await Promise.all(slow.map(({ of }) => world.runs.claim(of.team.id)));
    expect(claims).toEqual([null, null, null, null]);
    const source = await world.aSource(LIST);
    const quick = await world.aSchedule(account, { kind: 'url', url: source.url });
    await request(quick);
    const leased = await world.runs.claim(account.team.id);
    expect(leased).not.toBeNull();
    await world.advanceRun(leased!, signal());
    stop.abort();
    await Promise.all(work);
    limit(new SourceLimits());
    for (const { source: each } of slow) serve(each, LIST);
    await world.endLeases();
    await world.work();
    for (const { of, schedule } of slow)
      expect(await world.runsOf(schedule, of)).toMatchObject([{ status: 'completed' }]);
  });
});
