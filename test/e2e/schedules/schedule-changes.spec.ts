import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { ScheduleResponse } from '../../../src/modules/lists/schedules/schedules.dto.js';
import { Erasures } from '../../../src/platform/database/erasure/erasures.js';
import { aBulkJob, resultsOf, workOn } from '../../support/app/bulk.js';
import { ScheduleApp, serve } from '../../support/schedules/schedule-app.js';
import { ScriptedListmonk } from '../../support/schedules/scripted-listmonk.js';
import { answering, silent } from '../../support/webhooks/webhook-receiver.js';

const DAY_MS = 86_400_000;
const LIST = 'email\none@list.invalid\ntwo@list.invalid\n';
const NONE = 'email\nthree@list.invalid\n';

let world: ScheduleApp;
let account: NewAccount;
beforeAll(async () => {
  world = await ScheduleApp.start();
});
beforeEach(async () => {
  account = await world.app.anAccount();
});
afterAll(() => world.stop());

async function scheduleOf(content = LIST) {
  const source = await world.aSource(content);
  return { source, schedule: await world.aSchedule(account, { kind: 'url', url: source.url }) };
}
const patch = (schedule: { id: string }, body: object) =>
  world.app.request('patch', `/v1/schedules/${schedule.id}`, account.liveKey).send(body);
const request = (schedule: { id: string }) =>
  world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
const stateOf = async ({ id }: { id: string }) =>
  (await world.app.get(`/v1/schedules/${id}`, account.liveKey)).body as ScheduleResponse;
const jobs = async () =>
  ((await world.app.get('/v1/bulk-jobs', account.liveKey)).body as { data: unknown[] }).data;
/** Requests a run, and works on it until its list is being verified. */
async function untilVerifying(schedule: { id: string }) {
  await request(schedule);
  await world.advance();
}
/** As `untilVerifying`, until its results are written. */
async function untilWriting(schedule: { id: string }) {
  await untilVerifying(schedule);
  await workOn(world.app);
  await world.app.dispatchEvents();
}

describe('a run while too many rows of the team wait to be verified', () => {
  it('waits without a failure, reads its source more and more seldom, and goes on', async () => {
    const { source, schedule } = await scheduleOf();
    const waiting = await aBulkJob(world.app, account.liveKey, ['no address']);
    const fill = (rows: number) =>
      world.sql('UPDATE bulk_jobs SET total = $2 WHERE id = $1', [waiting.id, rows]);
    const pause = async () => {
      const [run] = await world.sql<{ seconds: string }>(
        'SELECT extract(epoch FROM leased_until - now()) AS seconds FROM schedule_runs WHERE schedule_id = $1',
        [schedule.id],
      );
      return Math.round(Number(run?.seconds) / 60);
    };
    await fill(5_000_000);
    await untilVerifying(schedule);
    const pauses = [await pause()];
    for (const minutes of [10, 600]) {
      world.app.clock.advance(minutes * 60_000);
      await world.endLeases();
      await world.advance();
      pauses.push(await pause());
    }
    expect(pauses).toEqual([1, 10, 60]);
    expect(source.received).toHaveLength(3);
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'queued', job_id: null }]);
    await fill(1);
    await world.endLeases();
    await world.work();
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'completed', verified: 2 }]);
  });
});

describe('a schedule that is due while its last run has not ended', () => {
  it('is not run twice, and is due again at its next time', async () => {
    const { schedule } = await scheduleOf();
    await untilVerifying(schedule);
    world.app.clock.advance(DAY_MS);
    await world.runs.startDue();
    expect(await world.runsOf(schedule, account)).toHaveLength(1);
    expect(Date.parse((await stateOf(schedule)).next_run_at ?? '')).toBeGreaterThan(
      world.app.clock.now().getTime(),
    );
    await world.work();
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'completed' }]);
  });
});

describe('a schedule that is due', () => {
  it('is run though its name is changed before it is started', async () => {
    const { schedule } = await scheduleOf();
    const { next_run_at } = await stateOf(schedule);
    world.app.clock.advance(Date.parse(next_run_at ?? '') - world.app.clock.now().getTime() + 1_000);
    expect((await patch(schedule, { name: 'Another name' })).body).toMatchObject({ next_run_at });
    await world.runs.startDue();
    expect(await world.runsOf(schedule, account)).toHaveLength(1);
  });
});

describe('a change of a schedule while it runs', () => {
  it('of the source holds for what is not read yet', async () => {
    const { schedule } = await scheduleOf();
    const other = await world.aSource(NONE);
    await request(schedule);
    await patch(schedule, { source: { kind: 'url', url: other.url } });
    await world.work();
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'completed', verified: 1 }]);
  });

  it('of the source leaves a list that was read, whose results go to the new one where they fit', async () => {
    const [before, after] = [await ScriptedListmonk.start(), await ScriptedListmonk.start()];
    const same = after.add('same@list.invalid');
    const another = after.add('another@list.invalid');
    for (const name of ['same', 'gone']) before.add(`${name}@list.invalid`);
    const action = { on_result: { listmonk: 'blocklist_undeliverable' } };
    const schedule = await world.aSchedule(account, before.source(), action);
    await untilVerifying(schedule);
    expect((await patch(schedule, { source: after.source() })).status).toBe(200);
    await world.work();
    const [run] = await world.runsOf(schedule, account);
    expect(run).toMatchObject({ status: 'completed', verified: 2, not_written: 1 });
    expect([same.status, another.status]).toEqual(['blocklisted', 'enabled']);
    expect(before.asked.every(({ method }) => method === 'GET')).toBe(true);
    await Promise.all([before.stop(), after.stop()]);
  });

  it('of what happens with results holds for those that are not written yet', async () => {
    const listmonk = await ScriptedListmonk.start();
    const gone = listmonk.add('gone@list.invalid');
    const action = { on_result: { listmonk: 'blocklist_undeliverable' } };
    const schedule = await world.aSchedule(account, listmonk.source(), action);
    await untilWriting(schedule);
    await patch(schedule, { on_result: { listmonk: 'none' } });
    await world.work();
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'completed', not_written: 0 }]);
    expect(gone.status).toBe('enabled');
    await listmonk.stop();
  });

  it('to disabled lets the run end', async () => {
    const { schedule } = await scheduleOf();
    await untilVerifying(schedule);
    await patch(schedule, { enabled: false });
    await world.work();
    expect(await stateOf(schedule)).toMatchObject({ enabled: false, last_run: { status: 'completed' } });
  });
});

describe('a schedule that is deleted', () => {
  it('while its source is read submits no list', async () => {
    const { source, schedule } = await scheduleOf();
    source.behave = silent;
    await request(schedule);
    const leased = await world.runs.claim(account.team.id);
    let answer = () => {};
    source.behave = (response) => {
      answer = () => void response.writeHead(200, { 'content-type': 'text/csv' }).end(LIST);
    };
    const reading = world.advanceRun(leased!, new AbortController().signal);
    await source.until(1);
    await world.app.delete(`/v1/schedules/${schedule.id}`, account.liveKey);
    answer();
    await reading;
    expect(await jobs()).toEqual([]);
    // What is erased counts for the limit of the day, without its rows.
    for (const lists of [
      `bulk_jobs WHERE state <> 'erasing' AND`,
      'bulk_rows JOIN bulk_jobs USING (list) WHERE',
    ])
      expect(await world.sql(`SELECT FROM ${lists} team_id = $1`, [account.team.id])).toEqual([]);
  });

  it.each([false, true])(
    'while its list is verified leaves the list, and writes nothing (erased: %s)',
    async (isErased) => {
      const listmonk = await ScriptedListmonk.start();
      const gone = listmonk.add('gone@list.invalid');
      const action = { on_result: { listmonk: 'blocklist_undeliverable' } };
      const schedule = await world.aSchedule(account, listmonk.source(), action);
      await untilVerifying(schedule);
      await world.app.delete(`/v1/schedules/${schedule.id}`, account.liveKey);
      if (isErased) await world.app.service.app.get(Erasures).run();
      await world.work();
      expect(await jobs()).toMatchObject([{ status: 'completed', schedule_id: schedule.id }]);
      expect(gone.status).toBe('enabled');
      const events = await world.sql(`SELECT FROM outbox WHERE team_id = $1 AND type LIKE 'schedule.%'`, [
        account.team.id,
      ]);
      expect(events).toEqual([]);
      await listmonk.stop();
    },
  );
});

describe('a schedule that was disabled', () => {
  it('by three failures counts from zero after it is enabled again', async () => {
    const { source, schedule } = await scheduleOf();
    source.behave = answering(401);
    for (let n = 0; n < 3; n++) await world.run(schedule, account);
    expect(await stateOf(schedule)).toMatchObject({ enabled: false });
    await patch(schedule, { enabled: true });
    for (const isEnabled of [true, true, false]) {
      await world.run(schedule, account);
      expect(await stateOf(schedule)).toMatchObject({ enabled: isEnabled });
    }
  });

  it('runs on request, stays disabled, and is disabled for the reason of then', async () => {
    const { source, schedule } = await scheduleOf();
    source.behave = answering(401);
    for (let n = 0; n < 3; n++) await world.run(schedule, account);
    serve(source, LIST);
    expect(await world.run(schedule, account)).toMatchObject({ status: 'completed', verified: 2 });
    expect(await stateOf(schedule)).toMatchObject({
      enabled: false,
      disabled_reason: { code: 'unauthorized' },
      next_run_at: null,
    });
    const { job_id } = (await world.runsOf(schedule, account))[0]!;
    expect(await resultsOf(world.app, account.liveKey, job_id ?? '')).toHaveLength(2);
  });
});
