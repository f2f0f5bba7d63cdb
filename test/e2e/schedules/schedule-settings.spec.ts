import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { ScheduleResponse } from '../../../src/modules/lists/schedules/schedules.dto.js';
import { PostgresMailQueue } from '../../../src/platform/mail/postgres-mail-queue.js';
import { joinTeam } from '../../support/app/joins.js';
import { MailSink } from '../../support/mail/mail-sink.js';
import type { Problem } from '../../support/http/problems.js';
import { ScheduleApp, serve } from '../../support/schedules/schedule-app.js';
import { answering } from '../../support/webhooks/webhook-receiver.js';

const DAY_MS = 86_400_000;
const SOURCE = { kind: 'url', url: 'https://example.com/list.csv' };

let sink: MailSink;
let world: ScheduleApp;
let account: NewAccount;
beforeAll(async () => {
  sink = await MailSink.start();
  world = await ScheduleApp.start({ INVITE_SMTP_URL: sink.url, INVITE_FROM: 'rcpt@service.example' });
});
beforeEach(async () => {
  account = await world.app.anAccount();
});
afterAll(async () => {
  await world.stop();
  await sink.close();
});

const patch = ({ id }: { id: string }, body: object, { liveKey: key } = account) =>
  world.app.request('patch', `/v1/schedules/${id}`, key).send(body);
const changed = async (schedule: { id: string }, body: object) => {
  const answer = await patch(schedule, body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body as ScheduleResponse;
};
const nextOf = ({ next_run_at: next }: ScheduleResponse) => new Date(next!);

describe('the day of a schedule', () => {
  it('is that of its creation, in UTC, unless one is chosen', async () => {
    const now = world.app.clock.now();
    const usual = await world.aSchedule(account, SOURCE, { every: 'week' });
    const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(now);
    expect(usual).toMatchObject({ weekday: weekday.toLowerCase(), day_of_month: now.getUTCDate() });
    expect(nextOf(usual).getUTCDay()).toBe(now.getUTCDay());
    const chosen = await world.aSchedule(account, SOURCE, { every: 'week', weekday: 'wednesday' });
    expect([chosen.weekday, nextOf(chosen).getUTCDay()]).toEqual(['wednesday', 3]);
  });

  it('of a month is its last one where that is shorter', async () => {
    const schedule = await world.aSchedule(account, SOURCE, { every: 'month', day_of_month: 31 });
    const next = nextOf(schedule);
    expect(schedule.day_of_month).toBe(31);
    expect(new Date(next.getTime() + DAY_MS).getUTCDate()).toBe(1);
  });

  it('can be changed, and the next run is planned anew then, and only then', async () => {
    const schedule = await world.aSchedule(account, SOURCE, { every: 'week', weekday: 'monday' });
    world.app.clock.advance(8 * DAY_MS);
    const named = await changed(schedule, { name: 'Readers', weekday: 'monday' });
    expect(named.next_run_at).toBe(schedule.next_run_at);
    const moved = await changed(schedule, { weekday: 'sunday' });
    expect(nextOf(moved).getUTCDay()).toBe(0);
    expect(nextOf(moved).getTime()).toBeGreaterThan(world.app.clock.now().getTime());
    const monthly = await changed(schedule, { every: 'month', day_of_month: 15 });
    expect([monthly.weekday, nextOf(monthly).getUTCDate()]).toEqual(['sunday', 15]);
  });
});

describe('the column of a schedule', () => {
  it('is read by its runs, stays until the source is changed, and is shown', async () => {
    const source = await world.aSource('email,Other\nno@list.invalid,jane@list.invalid\n');
    const of = { kind: 'url', url: source.url };
    const schedule = await world.aSchedule(account, { ...of, email_column: '2' });
    expect(schedule.source).toEqual({ ...of, headers: [], email_column: '2' });
    await world.run(schedule, account);
    const { job_id: job } = (await world.runsOf(schedule, account))[0]!;
    const results = await world.app.get(`/v1/bulk-jobs/${job}/results`, account.liveKey);
    expect(results.body).toMatchObject({ data: [{ email: 'jane@list.invalid' }] });
    expect((await changed(schedule, { source: of })).source.email_column).toBeNull();
    expect(await world.run(schedule, account)).toMatchObject({ status: 'completed', verified: 1, new: 1 });
  });
});

describe('the mail about a schedule that fails', () => {
  const failing = async (more: object) => {
    await world.sql('UPDATE users SET confirmed_at = now()');
    const source = await world.aSource();
    source.behave = answering(200, { 'content-type': 'text/html' }, '<p>jane@list.invalid</p>');
    return { source, schedule: await world.aSchedule(account, { kind: 'url', url: source.url }, more) };
  };
  let before = 0;
  beforeEach(() => {
    before = sink.texts().length;
  });
  const newTexts = async () => {
    await world.sql(`DELETE FROM outgoing_mails WHERE kind <> 'schedule'`);
    await world.app.service.app.get(PostgresMailQueue).sendDue();
    return sink.texts().slice(before);
  };

  it('is sent to its creator, in the chosen language, once a day, with what to do', async () => {
    const { source, schedule } = await failing({ notify: 'de' });
    expect(schedule.notify).toBe('de');
    await world.run(schedule, account);
    await world.run(schedule, account);
    const [text, ...more] = await newTexts();
    expect(more).toEqual([]);
    for (const part of ['fehlgeschlagen', 'text/html', `/console/schedules/${schedule.id}`])
      expect(text).toContain(part);
    expect(text).not.toContain('list.invalid');
    world.app.clock.advance(DAY_MS);
    await world.run(schedule, account);
    expect((await newTexts())[1]).toContain('darum ist der Zeitplan ausgeschaltet');
    serve(source, 'email\njane@list.invalid\n');
    await changed(schedule, { enabled: true });
    world.app.clock.advance(DAY_MS);
    await world.run(schedule, account);
    expect(await newTexts()).toHaveLength(2);
  });

  it('is not sent unless it was asked for, which only its creator may do, or after that it was not', async () => {
    const { schedule } = await failing({});
    await world.run(schedule, account);
    expect(await newTexts()).toEqual([]);
    const { key } = await joinTeam(world.app, account);
    await world.sql('UPDATE users SET confirmed_at = now()');
    const refused = await patch(schedule, { notify: 'en' }, { ...account, liveKey: key });
    expect((refused.body as Problem).errors).toMatchObject([{ pointer: '/notify', code: 'not_creator' }]);
    expect((await changed(schedule, { notify: 'en' })).notify).toBe('en');
    expect((await changed(schedule, { notify: null })).notify).toBeNull();
    await world.run(schedule, account);
    expect(await newTexts()).toEqual([]);
  });
});
