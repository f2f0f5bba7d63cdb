import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { RechecksProcessor } from '../../../src/modules/lists/rechecks/rechecks.processor.js';
import { RechecksService } from '../../../src/modules/verification/verification/rechecks/rechecks.service.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { Erasures } from '../../../src/platform/database/erasure/erasures.js';
import { sweep } from '../../support/database/growing-tables.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { recheckOn } from '../../support/app/bulk.js';
import { scrape } from '../../support/app/samples.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { mailboxes, recipients, type SmtpBehaviour } from '../../support/smtp/smtp-behaviours.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

interface News {
  team_id: string;
  data: { check_id: string; status: string };
}

/** The random address is refused at once, so that the second reply about jane is conclusive. */
function greylistingJane(): SmtpBehaviour {
  const base = mailboxes('jane');
  const isNew = (localPart: string, times: number) => localPart === 'jane' && times === 1;
  return {
    ...base,
    rcpt: (asking) => (isNew(asking.localPart, asking.times) ? '450 4.2.0 Greylisted' : base.rcpt(asking)),
  };
}

describe('a deferred check', () => {
  let world: MailWorld;
  let app: TestApp;
  let account: NewAccount;

  const scene = (domain: string) => ({
    domain,
    story: 'greylists',
    servers: [greylistingJane()],
    expect: {},
  });

  beforeAll(async () => {
    const later = { ...scene('later.test'), servers: [recipients({}, '451 4.7.1 Greylisted')] };
    const blocked = { ...scene('blocked.test'), servers: [recipients({}, '550 5.7.1 Your IP is blocked')] };
    const names = ['one.test', 'two.test', 'quota.test', 'many.test', 'gone.test', 'known.test', 'both.test'];
    const scenes = [...names.map(scene), later, blocked].map((described) => ({
      ...described,
      domain: described.domain.replace('.test', '.mailworld'),
    }));
    world = await MailWorld.start({ scenes });
    app = await anApp(world.env);
  });
  beforeEach(async () => {
    account = await app.anAccount();
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const verify = async (email: string, key = account.liveKey): Promise<VerdictResponse> => {
    const answer = await app.get(`/v1/verify?email=${email}`, key);
    expect(answer.status).toBe(200);
    return answer.body as VerdictResponse;
  };
  const recheck = () => recheckOn(app);
  const due = () => app.service.app.get(RechecksProcessor).enqueueWaiting();
  const sql = <T>(query: string, values: unknown[] = []) =>
    app.service.app.get(DataSource).query<T[]>(query, values);
  const news = () =>
    sql<News>(`SELECT team_id, data FROM outbox WHERE type = 'verification.completed' AND team_id = $1`, [
      account.team.id,
    ]);
  const verdictOf = async () => {
    const [told] = await news();
    return told && app.service.app.get(RechecksService).findVerdict(told.data.check_id);
  };
  const usedToday = async () => {
    const answer = await app.get('/v1/usage', account.liveKey);
    return (answer.body as { quota: { used: number } }).quota.used;
  };
  const asked = (domain: string) => world.server(domain).commandsOf('RCPT TO:<jane').length;

  it('is answered at once, for free, with the time of its recheck', async () => {
    expect(await verify('jane@one.mailworld')).toMatchObject({ reason: 'greylisted', retry_after: 300 });
    expect(await usedToday()).toBe(0);
    app.clock.advance(2 * MINUTE);
    world.server('one.mailworld').triplets.clear();
    expect(await verify('jane@one.mailworld')).toMatchObject({ reason: 'greylisted', retry_after: 180 });
    expect(await sql('SELECT 1 FROM rechecks WHERE team_id = $1', [account.team.id])).toHaveLength(1);
  });

  it('is rechecked five minutes later with the same sender and recipient, published once and charged then', async () => {
    await verify('jane@two.mailworld');
    app.clock.advance(4 * MINUTE);
    await recheck();
    expect(await news()).toEqual([]);
    app.clock.advance(MINUTE);
    await recheck();
    await recheck();
    const told = await news();
    expect(told).toEqual([
      { team_id: account.team.id, data: { check_id: expect.any(String), status: 'deliverable' } },
    ]);
    expect(await verdictOf()).toMatchObject({ email: 'jane@two.mailworld', reason: 'accepted_email' });
    expect(new Set(world.server('two.mailworld').commandsOf('MAIL')).size).toBe(1);
    expect(await usedToday()).toBe(1);
    expect(await verify('jane@two.mailworld')).toMatchObject({ reason: 'accepted_email', cached: true });
  });

  it('is rechecked after 5, 15 and 60 minutes, and then published as it is', async () => {
    await verify('jane@later.mailworld');
    for (const [minutes, known] of [
      [5, false],
      [10, false],
      [45, true],
    ] as const) {
      app.clock.advance((minutes - 1) * MINUTE);
      expect(await due()).toBe(0);
      app.clock.advance(MINUTE);
      expect(await due()).toBe(1);
      await recheck();
      expect([minutes, (await news()).length === 1]).toEqual([minutes, known]);
    }
    expect(asked('later.mailworld')).toBe(4);
    expect(await verdictOf()).toMatchObject({ status: 'unknown', reason: 'greylisted', retryAfter: null });
    expect(await usedToday()).toBe(0);
  });

  const openBreakers = async () =>
    [...(await scrape(app))].reduce(
      (sum, [name, value]) => sum + (name.startsWith('rcpt_circuit_breakers_open{') ? value : 0),
      0,
    );

  it('is also scheduled after a refusal of our sender', async () => {
    expect(await verify('jane@blocked.mailworld')).toMatchObject({
      reason: 'sender_blocked',
      retry_after: 300,
    });
    const { liveKey, team } = await app.anAccount();
    for (const name of ['jack', 'jill', 'john']) await verify(`${name}@blocked.mailworld`, liveKey);
    await sql('DELETE FROM rechecks WHERE team_id = $1', [team.id]);
    expect(await openBreakers()).toBeGreaterThan(0);
    world.server('blocked.mailworld').behaviour = mailboxes('jane');
    app.clock.advance(5 * MINUTE);
    await recheck();
    expect(await verdictOf()).toMatchObject({ reason: 'accepted_email' });
    expect(await openBreakers()).toBe(0);
  });

  it('is published as unknown when the daily quota is used up', async () => {
    account = await app.anAccount('free');
    await verify('jane@quota.mailworld');
    app.clock.advance(5 * MINUTE);
    await sql(
      `INSERT INTO quota_days (team_id, day, used) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 100)
       ON CONFLICT (team_id, day) DO UPDATE SET used = 100`,
      [account.team.id],
    );
    await recheck();
    expect(await verdictOf()).toMatchObject({ status: 'unknown', reason: 'greylisted', smtp: null });
    expect(await usedToday()).toBe(100);
  });

  it('is processed by one worker', async () => {
    await verify('jane@many.mailworld');
    app.clock.advance(5 * MINUTE);
    await Promise.all(Array.from({ length: 5 }, recheck));
    expect([asked('many.mailworld'), (await news()).length]).toEqual([2, 1]);
  });

  it('is processed by another worker when the first has died', async () => {
    await verify('jane@known.mailworld');
    app.clock.advance(5 * MINUTE);
    await sql(`UPDATE rechecks SET lease = $1, leased_until = now() + interval '2 minutes'`, [randomUUID()]);
    await recheck();
    expect(await news()).toEqual([]);
    await sql('UPDATE rechecks SET leased_until = now() WHERE lease IS NOT NULL');
    await recheck();
    expect(await news()).toHaveLength(1);
  });

  it('is charged together with its event, or not at all', async () => {
    account = await app.anAccount('starter');
    await verify('jane@both.mailworld');
    app.clock.advance(5 * MINUTE);
    await sql('ALTER TABLE outbox RENAME TO outbox_away');
    await recheck();
    await sql('ALTER TABLE outbox_away RENAME TO outbox');
    const quota = async () => ((await app.get('/v1/usage', account.liveKey)).body as { quota: object }).quota;
    expect(await quota()).toMatchObject({ used: 0, reserved: 0 });
    expect(await news()).toEqual([]);
    // Ends the pause after the failure.
    await sql("UPDATE rechecks SET leased_until = '-infinity'");
    await recheck();
    expect(await news()).toHaveLength(1);
    expect(await quota()).toMatchObject({ used: 1, reserved: 0 });
  });

  it('is deleted with its team, and its verdict after the team’s retention', async () => {
    await verify('jane@gone.mailworld');
    expect((await app.delete('/v1/team', account.liveKey)).status).toBe(204);
    await app.service.app.get(Erasures).run();
    expect(await sql('SELECT 1 FROM rechecks WHERE team_id = $1', [account.team.id])).toEqual([]);
    app.clock.advance(31 * DAY);
    await sweep(app, 'delete verdicts of rechecks');
    expect(await sql('SELECT 1 FROM rechecks WHERE due_at IS NULL')).toEqual([]);
  });

  it('is stored without the plain address', async () => {
    await verify('jane@one.mailworld');
    const rows = await sql<object>('SELECT * FROM rechecks');
    expect(JSON.stringify(rows)).not.toContain('jane');
    expect(JSON.stringify(await sql('SELECT * FROM outbox'))).not.toContain('jane@');
  });

  it('is not created for a test key', async () => {
    expect(await verify('greylisted@one.mailworld', account.testKey)).toMatchObject({
      reason: 'greylisted',
      retry_after: 300,
    });
    expect(await sql('SELECT 1 FROM rechecks WHERE team_id = $1', [account.team.id])).toEqual([]);
  });
});
