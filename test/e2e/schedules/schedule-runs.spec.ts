import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import type { ScheduleResponse } from '../../../src/modules/lists/schedules/schedules.dto.js';
import { workOn } from '../../support/app/bulk.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { ScheduleApp, serve } from '../../support/schedules/schedule-app.js';
import { answering } from '../../support/webhooks/webhook-receiver.js';

const DAY_MS = 86_400_000;
/** Refused before a look-up, so that each has a status without a name server. */
const LIST = 'email,name\none@list.invalid,A\ntwo@list.invalid,B\nONE@list.invalid,A again\n,nothing\n';

let world: ScheduleApp;
let answers: ResponseValidator;
let account: NewAccount;
beforeAll(async () => {
  world = await ScheduleApp.start();
  answers = await ResponseValidator.published(world.app);
});
beforeEach(async () => {
  account = await world.app.anAccount();
});
afterAll(() => world.stop());

async function scheduleOf(content = LIST, more: object = {}, type = 'text/csv') {
  const source = await world.aSource(content, type);
  const schedule = await world.aSchedule(account, { kind: 'url', url: source.url }, { ...more });
  return { source, schedule };
}

const jobOf = async (id: string | null) =>
  (await world.app.get(`/v1/bulk-jobs/${id}`, account.liveKey)).body as BulkJobResponse;
const stateOf = async ({ id }: { id: string }) =>
  (await world.app.get(`/v1/schedules/${id}`, account.liveKey)).body as ScheduleResponse;
const eventsOf = (type: string) =>
  world.sql<{ data: Record<string, unknown> }>(
    `SELECT data FROM outbox WHERE type = $1 AND team_id = $2 ORDER BY occurred_at`,
    [type, account.team.id],
  );

describe('a run', () => {
  it('is a bulk job of the rows of the source, with the id of the schedule', async () => {
    const { schedule } = await scheduleOf();
    const run = await world.run(schedule, account);
    expect(run).toMatchObject({
      status: 'completed',
      rows: 4,
      unchanged: 0,
      verified: 2,
      new: 2,
      changed: {},
    });
    expect(run).toMatchObject({ schedule_id: schedule.id, failure: null });
    expect(await jobOf(run.job_id)).toMatchObject({
      schedule_id: schedule.id,
      name: 'Newsletter',
      status: 'completed',
      total: 3,
      unique: 2,
    });
    const page = await world.app.get(`/v1/schedules/${schedule.id}/runs`, account.liveKey);
    answers.expect('GET', '/v1/schedules/{id}/runs', page);
    expect((await stateOf(schedule)).last_run).toEqual(run);
    const [event] = await eventsOf('schedule.completed');
    expect(event?.data).toMatchObject({ schedule_id: schedule.id, run_id: run.id, verified: 2, new: 2 });
    expect(JSON.stringify(event)).not.toContain('list.invalid');
  });

  it('reads NDJSON', async () => {
    const list = '{"email":"one@list.invalid","ref":"1"}\n"two@list.invalid"\n';
    const { schedule } = await scheduleOf(list, {}, 'application/x-ndjson');
    expect(await world.run(schedule, account)).toMatchObject({ status: 'completed', verified: 2 });
  });

  it('verifies only rows that are new or old, and costs nothing for the others', async () => {
    const { source, schedule } = await scheduleOf(LIST, { max_age_days: 10 });
    await world.run(schedule, account);
    const again = await world.run(schedule, account);
    expect(again).toMatchObject({ status: 'completed', rows: 4, unchanged: 3, verified: 0, job_id: null });
    serve(source, `${LIST}three@list.invalid,C\n`);
    const third = await world.run(schedule, account);
    expect(third).toMatchObject({ unchanged: 3, verified: 1, new: 1, changed: {} });
    // It has some rows of the source only, so they do not have its lines.
    const job = { total: 1, usage: { reserved: 1 }, format: { header: 1, lines: [] } };
    expect(await jobOf(third.job_id)).toMatchObject(job);
    await world.sql(
      `UPDATE schedule_members SET verified_at = verified_at - interval '11 days', status = 'risky'`,
    );
    expect(await world.run(schedule, account)).toMatchObject({
      unchanged: 0,
      verified: 3,
      new: 0,
      changed: { undeliverable: 3 },
    });
  });

  it('knows what was verified after the list of the earlier run was deleted', async () => {
    const { schedule } = await scheduleOf();
    const { job_id } = await world.run(schedule, account);
    await world.app.delete(`/v1/bulk-jobs/${job_id}`, account.liveKey);
    expect(await world.run(schedule, account)).toMatchObject({ unchanged: 3, verified: 0 });
  });

  it('is one for all times that have passed while no worker ran', async () => {
    const { schedule } = await scheduleOf();
    world.app.clock.advance(5 * DAY_MS);
    await world.runs.startDue();
    await world.runs.startDue();
    await world.work();
    expect(await world.runsOf(schedule, account)).toHaveLength(1);
    expect(Date.parse((await stateOf(schedule)).next_run_at ?? '')).toBeGreaterThan(
      world.app.clock.now().getTime(),
    );
  });

  it('that was requested while another one has not ended is that one', async () => {
    const { schedule } = await scheduleOf();
    const request = () => world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
    const [first, second] = [await request(), await request()];
    answers.expect('POST', '/v1/schedules/{id}/run', first);
    expect(second.body).toEqual(first.body);
    await world.work();
    expect(await world.runsOf(schedule, account)).toHaveLength(1);
  });
});

describe('a run whose process is killed', () => {
  it('while it reads is read again by another one, and is one job', async () => {
    const { source, schedule } = await scheduleOf();
    await world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
    const killed = await world.runs.claim(account.team.id);
    expect(killed).not.toBeNull();
    await world.work();
    expect(source.received).toHaveLength(0);
    await world.endLeases();
    await world.work();
    // The first process was only slow: it has lost its lease.
    await world.advanceRun(killed!, new AbortController().signal);
    await workOn(world.app);
    const [run] = await world.runsOf(schedule, account);
    expect(run).toMatchObject({ status: 'completed', verified: 2, new: 2 });
    const jobs = await world.app.get('/v1/bulk-jobs', account.liveKey);
    expect((jobs.body as { data: unknown[] }).data).toHaveLength(1);
  });

  it('while it records continues, and counts nothing twice', async () => {
    const { schedule } = await scheduleOf();
    await world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
    await world.advance();
    await workOn(world.app);
    await world.app.dispatchEvents();
    const killed = await world.runs.claim(account.team.id);
    expect(killed?.run.state).toBe('writing');
    await world.endLeases();
    await world.work();
    await world.advanceRun(killed!, new AbortController().signal);
    expect(await world.runsOf(schedule, account)).toMatchObject([
      { status: 'completed', verified: 2, new: 2, changed: {} },
    ]);
    expect(await eventsOf('schedule.completed')).toHaveLength(1);
  });

  it('at its shutdown is released at once', async () => {
    const { source, schedule } = await scheduleOf();
    source.behave = () => undefined;
    await world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
    const leased = await world.runs.claim(account.team.id);
    const shutdown = new AbortController();
    const stopped = world.advanceRun(leased!, shutdown.signal);
    await source.until(1);
    shutdown.abort();
    await stopped;
    serve(source, LIST);
    await world.work();
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'completed' }]);
  });
});

describe('a run that fails', () => {
  it.each([
    ['unauthorized', answering(401)],
    ['unauthorized', answering(403)],
    ['not_found', answering(404)],
    ['http_status', answering(418)],
    ['not_a_list', answering(200, { 'content-type': 'text/html' }, '<p>Sign in</p>')],
    ['malformed_list', answering(200, { 'content-type': 'text/csv' }, 'first,second\nno,no\nno,no\n')],
    ['empty', answering(200, { 'content-type': 'text/csv' }, 'email\n')],
    ['empty', answering(200, { 'content-type': 'text/csv' }, 'email,name\n,a\n,b\n')],
    ['address_not_allowed', answering(302, { location: 'http://169.254.169.254/latest' })],
    ['address_not_allowed', answering(302, { location: 'http://127.0.0.1:22/' })],
    ['redirect', answering(302, { location: '/hooks' })],
    ['redirect', answering(302)],
    ['too_large', answering(200, { 'content-type': 'text/csv', 'content-length': String(2 ** 30) })],
  ])('says %s, and what to do', async (code, behaviour) => {
    const { source, schedule } = await scheduleOf();
    source.behave = behaviour;
    const run = await world.run(schedule, account);
    expect(run).toMatchObject({ status: 'failed', job_id: null, failure: { code } });
    expect(run.failure?.message).toMatch(/\./);
    const [event] = await eventsOf('schedule.failed');
    expect(event?.data).toMatchObject({ schedule_id: schedule.id, failure: code, enabled: true });
  });

  it('for a time is tried again', async () => {
    const { source, schedule } = await scheduleOf();
    source.behave = answering(502);
    expect(await world.run(schedule, account)).toMatchObject({ status: 'queued' });
    serve(source, LIST);
    await world.endLeases();
    await world.work();
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'completed' }]);
  });

  it('when its list is canceled says so', async () => {
    const { schedule } = await scheduleOf();
    await world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
    await world.advance();
    const [{ job_id } = { job_id: null }] = await world.runsOf(schedule, account);
    await world.app.post(`/v1/bulk-jobs/${job_id}/cancel`, account.liveKey);
    await world.app.dispatchEvents();
    const runs = await world.runsOf(schedule, account);
    expect(runs).toMatchObject([{ status: 'failed', failure: { code: 'job_canceled' } }]);
  });

  it('three times disables the schedule, and says why, until it is enabled again', async () => {
    const { source, schedule } = await scheduleOf();
    source.behave = answering(401);
    await world.run(schedule, account);
    await world.run(schedule, account);
    expect(await stateOf(schedule)).toMatchObject({ enabled: true });
    await world.run(schedule, account);
    expect(await stateOf(schedule)).toMatchObject({
      enabled: false,
      disabled_reason: { code: 'unauthorized' },
      next_run_at: null,
    });
    const events = await eventsOf('schedule.failed');
    expect(events.map(({ data }) => data.enabled)).toEqual([true, true, false]);
    // They would be due, too.
    await world.sql('DELETE FROM schedules WHERE id <> $1', [schedule.id]);
    world.app.clock.advance(2 * DAY_MS);
    await world.runs.startDue();
    expect(await world.runsOf(schedule, account)).toHaveLength(3);
    const enabled = await world.app
      .request('patch', `/v1/schedules/${schedule.id}`, account.liveKey)
      .send({ enabled: true });
    expect(enabled.body).toMatchObject({ enabled: true, disabled_reason: null });
    serve(source, LIST);
    expect(await world.run(schedule, account)).toMatchObject({ status: 'completed' });
  });
});

describe('the headers of a source', () => {
  it('are sent to its host, and not to another one that it redirects to', async () => {
    const [source, other] = [await world.aSource(), await world.aSource(LIST)];
    source.behave = answering(302, { location: other.url });
    const headers = { Authorization: 'Bearer secret-1' };
    const schedule = await world.aSchedule(account, { kind: 'url', url: source.url, headers });
    expect(await world.run(schedule, account)).toMatchObject({ status: 'completed' });
    expect(source.received[0]?.headers).toMatchObject({ authorization: 'Bearer secret-1' });
    expect(other.received[0]?.headers).not.toHaveProperty('authorization');
    expect(world.app.logged()).not.toContain('secret-1');
  });
});
