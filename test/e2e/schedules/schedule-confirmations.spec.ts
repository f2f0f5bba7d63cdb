import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { PostgresMailQueue } from '../../../src/platform/mail/postgres-mail-queue.js';
import { RunConfirmationsService } from '../../../src/modules/lists/schedules/runs/run-confirmations.service.js';
import { ScheduleRunsService } from '../../../src/modules/lists/schedules/schedule-runs.service.js';
import { expectProblem } from '../../support/http/problems.js';
import { MailSink } from '../../support/mail/mail-sink.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { advanceRuns, ScheduleApp } from '../../support/schedules/schedule-app.js';
import { ScriptedListmonk } from '../../support/schedules/scripted-listmonk.js';

const DAY_MS = 86_400_000;

let world: ScheduleApp;
let answers: ResponseValidator;
let account: NewAccount;
let listmonk: ScriptedListmonk;
beforeAll(async () => {
  world = await ScheduleApp.start();
  answers = await ResponseValidator.published(world.app);
});
beforeEach(async () => {
  account = await world.app.anAccount();
  listmonk = await ScriptedListmonk.start();
});
afterEach(() => listmonk.stop());
afterAll(() => world.stop());

const aSchedule = (max_blocklisted?: object) =>
  world.aSchedule(account, listmonk.source(), {
    on_result: { listmonk: 'blocklist_undeliverable', ...(max_blocklisted && { max_blocklisted }) },
  });
const answer = (what: 'confirm' | 'discard', { schedule_id, id }: { schedule_id: string; id: string }) =>
  world.app.post(`/v1/schedules/${schedule_id}/runs/${id}/${what}`, account.liveKey);
const blocked = () =>
  [...listmonk.subscribers.values()].filter(({ status }) => status === 'blocklisted').length;
const eventsOf = (type: string) =>
  world.sql<{ data: Record<string, unknown> }>('SELECT data FROM outbox WHERE type = $1 AND team_id = $2', [
    type,
    account.team.id,
  ]);
/** A run that would blocklist 60 of 70. */
async function asking() {
  for (let n = 0; n < 60; n++)
    listmonk.add(n < 55 ? `gone${n}@list.invalid` : `${'x'.repeat(70)}${n}@reader.dev`);
  for (let n = 0; n < 10; n++) listmonk.add(`kept${n}@reader.dev`);
  const schedule = await aSchedule();
  return { schedule, run: await world.run(schedule, account) };
}

describe('a run that would blocklist many', () => {
  it('stops before the first, and says how many and why', async () => {
    const { schedule, run } = await asking();
    expect(run).toMatchObject({ status: 'needs_confirmation', rows: 70, written: 0, finished_at: null });
    const confirmation = {
      subscribers: 60,
      share: 0.8571,
      reasons: [
        { reason: 'invalid_domain', count: 55 },
        { reason: 'invalid_syntax', count: 5 },
      ],
    };
    expect(run.confirmation).toMatchObject(confirmation);
    expect(Date.parse(run.confirmation?.confirm_by ?? '') - world.app.clock.now().getTime()).toBeCloseTo(
      7 * DAY_MS,
      -5,
    );
    expect(listmonk.paths('PUT')).toEqual([]);
    const [event, ...more] = await eventsOf('schedule.needs_confirmation');
    expect(event?.data).toMatchObject({ run_id: run.id, status: 'needs_confirmation', confirmation });
    expect([more, JSON.stringify(event).includes('list.invalid')]).toEqual([[], false]);
    const page = await world.app.get(`/v1/schedules/${schedule.id}/runs`, account.liveKey);
    answers.expect('GET', '/v1/schedules/{id}/runs', page);
    // It has not ended: there is no second one beside it.
    expect(await world.run(schedule, account)).toEqual(run);
  });

  it('writes when it is confirmed, once, and is confirmed twice without a difference', async () => {
    const { schedule, run } = await asking();
    const confirmed = await answer('confirm', run);
    answers.expect('POST', '/v1/schedules/{id}/runs/{run_id}/confirm', confirmed);
    expect(confirmed.body).toMatchObject({ id: run.id, status: 'writing' });
    expect((await answer('confirm', run)).status).toBe(202);
    await world.work();
    expect((await answer('confirm', run)).body).toMatchObject({ status: 'completed', written: 60 });
    expect([blocked(), listmonk.paths('PUT').length]).toEqual([60, 1]);
    expectProblem(await answer('discard', run), 409, 'no_confirmation_needed');
    expect(await world.run(schedule, account)).toMatchObject({ status: 'completed', written: 0 });
  });

  it('writes nothing when it is discarded, and cannot be confirmed then', async () => {
    const { schedule, run } = await asking();
    const discarded = await answer('discard', run);
    answers.expect('POST', '/v1/schedules/{id}/runs/{run_id}/discard', discarded);
    expect(discarded.body).toMatchObject({ status: 'discarded', written: 0 });
    expect((await answer('discard', run)).status).toBe(200);
    expectProblem(await answer('confirm', run), 409, 'no_confirmation_needed');
    await world.work();
    expect(blocked()).toBe(0);
    const [event] = await eventsOf('schedule.completed');
    expect(event?.data).toMatchObject({ run_id: run.id, status: 'discarded' });
    await world.runs.deleteRows();
    const rows = await world.sql('SELECT FROM schedule_rows WHERE schedule_id = $1', [schedule.id]);
    expect(rows).toEqual([]);
    // The next one asks again.
    expect(await world.run(schedule, account)).toMatchObject({ status: 'needs_confirmation', verified: 0 });
  });

  it('is discarded after seven days without an answer', async () => {
    const { schedule, run } = await asking();
    const confirmations = world.app.service.app.get(RunConfirmationsService);
    world.app.clock.advance(7 * DAY_MS - 60_000);
    await confirmations.discardUnanswered();
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'needs_confirmation' }]);
    world.app.clock.advance(120_000);
    await confirmations.discardUnanswered();
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'discarded', written: 0 }]);
    expectProblem(await answer('confirm', run), 409, 'no_confirmation_needed');
  });

  it('is not there for another team, another schedule or a limited key', async () => {
    const { schedule, run } = await asking();
    const stranger = await world.app.anAccount();
    const path = `/v1/schedules/${schedule.id}/runs/${run.id}`;
    for (const what of ['confirm', 'discard'])
      expectProblem(await world.app.post(`${path}/${what}`, stranger.liveKey), 404, 'not_found');
    const other = await aSchedule();
    for (const what of ['confirm', 'discard'] as const)
      expectProblem(await answer(what, { ...run, schedule_id: other.id }), 404, 'not_found');
    const limited = await world.app
      .post('/v1/keys', account.liveKey)
      .send({ name: 'A program', scopes: ['lists'] });
    const { key } = limited.body as { key: string };
    expectProblem(await world.app.post(`${path}/confirm`, key), 403, 'scope_required');
    expect(blocked()).toBe(0);
  });

  it.each([
    ['one more than the count, and the share', { share: 0.1, count: 59 }, 'needs_confirmation'],
    ['as many as the count', { share: 0.1, count: 60 }, 'completed'],
    ['more than the count, and less than the share', { share: 0.9, count: 1 }, 'completed'],
    ['anybody at all', { share: 0, count: 0 }, 'needs_confirmation'],
  ])('asks by the bound of its schedule: %s', async (_, bound, status) => {
    for (let n = 0; n < 60; n++) listmonk.add(`gone${n}@list.invalid`);
    for (let n = 0; n < 10; n++) listmonk.add(`kept${n}@reader.dev`);
    const schedule = await aSchedule(bound);
    expect(schedule.on_result.max_blocklisted).toEqual(bound);
    expect(await world.run(schedule, account)).toMatchObject({ status });
    expect(blocked()).toBe(status === 'completed' ? 60 : 0);
  });

  it('is stopped by one list with many and by what is known alike', async () => {
    for (let n = 0; n < 120; n++) listmonk.add(`gone${n}@list.invalid`);
    const schedule = await world.aSchedule(account, listmonk.source());
    await world.run(schedule, account);
    await world.app
      .request('patch', `/v1/schedules/${schedule.id}`, account.liveKey)
      .send({ on_result: { listmonk: 'blocklist_undeliverable' } });
    expect(await world.run(schedule, account)).toMatchObject({
      status: 'needs_confirmation',
      verified: 0,
      confirmation: { subscribers: 120, share: 1 },
    });
  });
});

describe('the mail about a run that asks', () => {
  let sink: MailSink;
  let mailing: ScheduleApp;
  beforeAll(async () => {
    sink = await MailSink.start();
    mailing = await ScheduleApp.start({ INVITE_SMTP_URL: sink.url, INVITE_FROM: 'rcpt@service.example' });
  });
  afterAll(async () => {
    await mailing.stop();
    await sink.close();
  });

  it('goes to the user who created the schedule, with numbers and without an address', async () => {
    const owner = await mailing.app.anAccount();
    await mailing.sql('UPDATE users SET confirmed_at = now()');
    for (let n = 0; n < 60; n++) listmonk.add(`gone${n}@list.invalid`);
    const action = { on_result: { listmonk: 'blocklist_undeliverable' } };
    const schedule = await mailing.aSchedule(owner, listmonk.source(), action);
    const run = await mailing.run(schedule, owner);
    await mailing.sql(`DELETE FROM outgoing_mails WHERE kind <> 'schedule'`);
    await mailing.app.service.app.get(PostgresMailQueue).sendDue();
    const [text, ...more] = sink.texts();
    expect(more).toEqual([]);
    for (const part of ['would blocklist 60 subscribers', '100%', 'invalid_domain: 60', 'auf allen Listen'])
      expect(text).toContain(part);
    expect(text).toContain(`/console/schedules/${schedule.id}`);
    expect(text).not.toContain('list.invalid');
    expect(run.status).toBe('needs_confirmation');
  });
});

describe('a confirmed run whose process is killed before it writes', () => {
  it('is written by another one, once', async () => {
    const other = await world.another();
    const { schedule, run } = await asking();
    await answer('confirm', run);
    // The process claims it, and is gone.
    expect(await world.runs.claim(account.team.id)).not.toBeNull();
    await advanceRuns(other);
    expect(blocked()).toBe(0);
    await world.endLeases();
    await advanceRuns(other);
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'completed', written: 60 }]);
    expect([blocked(), listmonk.paths('PUT').length]).toEqual([60, 1]);
    await other.stop();
  });

  it('is confirmed and discarded at the same time by two processes: one of them counts', async () => {
    const other = await world.another();
    const { run } = await asking();
    const [one, two] = [world.app, other].map(({ service: { app } }) => app.get(RunConfirmationsService));
    const caller = { teamId: account.team.id } as Parameters<RunConfirmationsService['confirm']>[0];
    const both = await Promise.allSettled([
      one!.confirm(caller, run.schedule_id, run.id),
      two!.discard(caller, run.schedule_id, run.id),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await world.work();
    expect([0, 60]).toContain(blocked());
    expect(other.service.app.get(ScheduleRunsService)).toBeDefined();
    await other.stop();
  });
});
