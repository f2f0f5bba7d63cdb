import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { resultsOf, workOn } from '../../support/app/bulk.js';
import { plain } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { ScheduleApp } from '../../support/schedules/schedule-app.js';
import { ScriptedListmonk, type TestSubscriber } from '../../support/schedules/scripted-listmonk.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let mail: MailWorld;
let world: ScheduleApp;
let account: NewAccount;
let listmonk: ScriptedListmonk;
beforeAll(async () => {
  const scene = { servers: [], story: '', expect: {} };
  mail = await MailWorld.start({
    scenes: [
      { ...scene, domain: 'plain.mailworld', servers: [plain] },
      { ...scene, domain: 'null.mailworld', dns: { 'null.mailworld': { mx: [[0, '.']] } } },
      { ...scene, domain: 'bare.mailworld', dns: { 'bare.mailworld': { txt: [] } } },
    ],
  });
  world = await ScheduleApp.start(mail.env);
});
beforeEach(async () => {
  account = await world.app.anAccount();
  listmonk = await ScriptedListmonk.start();
});
afterEach(() => listmonk.stop());
afterAll(async () => {
  await world.stop();
  await mail.stop();
});

const aSchedule = (action: string, more: object = {}) =>
  world.aSchedule(account, listmonk.source(), { on_result: { listmonk: action }, ...more });
const patch = (schedule: { id: string }, body: object) =>
  world.app.request('patch', `/v1/schedules/${schedule.id}`, account.liveKey).send(body);
const write = (schedule: { id: string }, action: string) =>
  patch(schedule, { on_result: { listmonk: action } });
/** Units that lists of the team have cost. */
const used = async () => {
  const { data } = (await world.app.get('/v1/bulk-jobs', account.liveKey)).body as {
    data: { usage: { charged: number } }[];
  };
  return data.reduce((sum, { usage }) => sum + usage.charged, 0);
};
const statusesOf = (subscribers: readonly TestSubscriber[]) => subscribers.map(({ status }) => status);

describe('what is known of subscribers', () => {
  it('is written after a change of on_result, without a verification and without a charge', async () => {
    const gone = Array.from({ length: 20 }, (_, n) => listmonk.add(`gone${n}@list.invalid`));
    const schedule = await aSchedule('none');
    expect(await world.run(schedule, account)).toMatchObject({ verified: 20, written: 0 });
    const before = await used();
    await write(schedule, 'blocklist_undeliverable');
    const run = await world.run(schedule, account);
    expect(run).toMatchObject({ status: 'completed', unchanged: 20, verified: 0, job_id: null });
    expect(run).toMatchObject({ written: 20, not_written: 0 });
    expect(new Set(statusesOf(gone))).toEqual(new Set(['blocklisted']));
    expect(await used()).toBe(before);
    expect(await world.run(schedule, account)).toMatchObject({ rows: 0, written: 0 });
  });

  it('is written to one who comes back under another id', async () => {
    const first = listmonk.add('gone@list.invalid');
    const schedule = await aSchedule('blocklist_undeliverable');
    await world.run(schedule, account);
    listmonk.subscribers.delete(first.id);
    const again = listmonk.add('Gone@list.invalid');
    expect(await world.run(schedule, account)).toMatchObject({ verified: 0, written: 1, job_id: null });
    expect(again.status).toBe('blocklisted');
  });

  it('is written to one who was enabled again', async () => {
    const gone = listmonk.add('gone@list.invalid');
    const schedule = await aSchedule('blocklist_undeliverable');
    await world.run(schedule, account);
    gone.status = 'enabled';
    expect(await world.run(schedule, account)).toMatchObject({ verified: 0, written: 1 });
    expect(gone.status).toBe('blocklisted');
  });

  it.each<[string, (reader: TestSubscriber) => void]>([
    ['taken away', (reader) => (reader.attribs = { city: 'Bonn' })],
    [
      'changed',
      (reader) => (reader.attribs.rcpt = { status: 'deliverable', reason: 'delivered', score: 90 }),
    ],
    ['spoilt', (reader) => (reader.attribs.rcpt = 'yes')],
  ])('becomes the attribute again where that was %s, and changes no other', async (_, spoil) => {
    const reader = listmonk.add('reader@list.invalid', { attribs: { city: 'Bonn' } });
    const same = listmonk.add('same@list.invalid');
    const schedule = await aSchedule('attributes');
    await world.run(schedule, account);
    const written = structuredClone(reader.attribs);
    spoil(reader);
    const run = await world.run(schedule, account);
    expect(run).toMatchObject({ unchanged: 2, verified: 0, written: 1, not_written: 0 });
    expect(reader.attribs).toEqual(written);
    expect(listmonk.paths('PATCH').filter((path) => path.endsWith(`/${same.id}`))).toHaveLength(1);
    expect(await world.run(schedule, account)).toMatchObject({ written: 0 });
  });

  it('is not written once it is older than max_age_days: it is verified again', async () => {
    const gone = listmonk.add('gone@list.invalid');
    const schedule = await aSchedule('none', { max_age_days: 10 });
    await world.run(schedule, account);
    await write(schedule, 'blocklist_undeliverable');
    world.app.clock.advance(11 * DAY_MS);
    expect(await world.run(schedule, account)).toMatchObject({ unchanged: 0, verified: 1, written: 1 });
    expect(gone.status).toBe('blocklisted');
  });

  it('replaces no newer result in listmonk', async () => {
    const newer = { status: 'deliverable', reason: 'delivered', score: 90 };
    const readers = [listmonk.add('one@list.invalid'), listmonk.add('two@list.invalid')];
    const schedule = await aSchedule('none');
    await world.run(schedule, account);
    const verified_at = new Date(world.app.clock.now().getTime() + HOUR_MS).toISOString();
    for (const reader of readers) reader.attribs.rcpt = { ...newer, verified_at };
    for (const action of ['attributes', 'blocklist_undeliverable']) {
      await write(schedule, action);
      expect(await world.run(schedule, account)).toMatchObject({ unchanged: 2, written: 0 });
    }
    expect(statusesOf(readers)).toEqual(['enabled', 'enabled']);
    expect(listmonk.asked.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('replaces no newer result that came to listmonk after it was read', async () => {
    const reader = listmonk.add('one@list.invalid');
    const schedule = await aSchedule('attributes');
    await world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
    await world.advance();
    await workOn(world.app);
    await world.app.dispatchEvents();
    const verified_at = new Date(world.app.clock.now().getTime() + HOUR_MS).toISOString();
    const newer = { status: 'deliverable', reason: 'delivered', score: 90, verified_at };
    reader.attribs.rcpt = newer;
    await world.work();
    const [run] = await world.runsOf(schedule, account);
    expect(run).toMatchObject({ status: 'completed', verified: 1, written: 0, not_written: 1 });
    expect(reader.attribs.rcpt).toEqual(newer);
  });
});

describe('results that a failed run has left', () => {
  /** A run whose list is verified, and canceled before its results are recorded. */
  async function left(schedule: { id: string }) {
    await world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
    await world.advance();
    await workOn(world.app);
    const [{ job_id } = { job_id: null }] = await world.runsOf(schedule, account);
    await world.runs.jobEnded(job_id ?? '', 'failed');
    await world.app.dispatchEvents();
  }

  it('are written by the next one, and charged once', async () => {
    const gone = listmonk.add('gone@list.invalid');
    const schedule = await aSchedule('blocklist_undeliverable');
    await left(schedule);
    const before = await used();
    expect(await world.run(schedule, account)).toMatchObject({ unchanged: 1, verified: 0, written: 1 });
    expect(gone.status).toBe('blocklisted');
    expect(await used()).toBe(before);
  });

  it('are not written once they are older than max_age_days', async () => {
    listmonk.add('gone@list.invalid');
    const schedule = await aSchedule('blocklist_undeliverable', { max_age_days: 3 });
    await left(schedule);
    world.app.clock.advance(4 * DAY_MS);
    await world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
    await world.advance();
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'verifying', unchanged: 0 }, {}]);
    expect(listmonk.paths('PUT')).toEqual([]);
    await world.work();
  });

  it('replace no newer ones', async () => {
    listmonk.add('gone@list.invalid');
    const schedule = await aSchedule('blocklist_undeliverable');
    await left(schedule);
    await world.sql(
      `INSERT INTO schedule_members (schedule_id, address_key, status, reason, score, verified_at, expires_at)
       SELECT $1, substr(address_key, length(address_key) - 35), 'deliverable', 'accepted_email', 95, $2, $3
         FROM bulk_rows WHERE list = (SELECT list FROM bulk_jobs WHERE schedule_id = $1)`,
      [
        schedule.id,
        new Date(world.app.clock.now().getTime() + HOUR_MS),
        new Date(world.app.clock.now().getTime() + DAY_MS),
      ],
    );
    const [member] = await world.sql<{ length: number }>(
      'SELECT length(address_key) FROM schedule_members WHERE schedule_id = $1',
      [schedule.id],
    );
    expect(member).toEqual({ length: 36 });
    expect(await world.run(schedule, account)).toMatchObject({ unchanged: 1, written: 0, changed: {} });
    const kept = await world.sql('SELECT status FROM schedule_members WHERE schedule_id = $1', [schedule.id]);
    expect(kept).toEqual([{ status: 'deliverable' }]);
    expect(listmonk.paths('PUT')).toEqual([]);
  });
});

describe('a team that is suspended', () => {
  it('while results of its run wait to be written: nothing is written', async () => {
    const gone = listmonk.add('gone@list.invalid');
    const schedule = await aSchedule('blocklist_undeliverable');
    await world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
    await world.advance();
    await workOn(world.app);
    await world.app.dispatchEvents();
    await world.sql(`UPDATE teams SET base_tier = 'suspended' WHERE id = $1`, [account.team.id]);
    const before = listmonk.asked.length;
    await world.work();
    const [run] = await world.sql('SELECT state, failure FROM schedule_runs WHERE schedule_id = $1', [
      schedule.id,
    ]);
    expect(run).toEqual({ state: 'failed', failure: 'upgrade_required' });
    expect([gone.status, listmonk.asked.length]).toEqual(['enabled', before]);
    await world.sql(`UPDATE teams SET base_tier = 'unlimited' WHERE id = $1`, [account.team.id]);
  });
});

describe('a domain without mail by the DNS alone', () => {
  const at = (domain: string) => listmonk.add(`jane@${domain}`);

  it.each([
    ['invalid_domain', 'no-such-domain.mailworld'],
    ['null_mx', 'null.mailworld'],
    ['no_mail_server', 'bare.mailworld'],
  ])(
    'is written when it was found twice, a day apart, and asked again without a charge: %s',
    async (reason, domain) => {
      const gone = at(domain);
      const special = listmonk.add('gone@list.invalid');
      const schedule = await aSchedule('blocklist_undeliverable');
      const run = await world.run(schedule, account);
      expect(run).toMatchObject({ status: 'completed', verified: 2, written: 1, postponed: 1 });
      const results = await resultsOf(world.app, account.liveKey, run.job_id ?? '');
      expect(results).toMatchObject([{ reason }, { reason: 'invalid_domain' }]);
      expect(statusesOf([gone, special])).toEqual(['enabled', 'blocklisted']);
      const before = await used();
      world.app.clock.advance(23 * HOUR_MS);
      expect(await world.run(schedule, account)).toMatchObject({ verified: 0, written: 0, postponed: 1 });
      world.app.clock.advance(2 * HOUR_MS);
      const another = listmonk.add(`joe@${domain}`);
      const last = await world.run(schedule, account);
      expect(last).toMatchObject({ status: 'completed', postponed: 0 });
      expect(statusesOf([gone, another])).toEqual(['blocklisted', 'blocklisted']);
      expect(await used()).toBeLessThanOrEqual(before + 1);
    },
  );

  it('that has mail again is not written', async () => {
    const back = at('back.mailworld');
    const schedule = await aSchedule('blocklist_undeliverable');
    expect(await world.run(schedule, account)).toMatchObject({ postponed: 1 });
    mail.dns.set('back.mailworld', { mx: [[10, 'mx1.plain.mailworld']] });
    world.app.clock.advance(2 * DAY_MS);
    expect(await world.run(schedule, account)).toMatchObject({ verified: 0, written: 0, postponed: 0 });
    expect(back.status).toBe('enabled');
  });
});
