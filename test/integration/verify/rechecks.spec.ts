import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { RecheckRunService } from '../../../src/modules/lists/rechecks/recheck-run.service.js';
import { RecheckRepository } from '../../../src/modules/verification/verification/domain/recheck.repository.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, jobOf, recheckOn, resultsOf, workOn } from '../../support/app/bulk.js';
import { aPublishableKey, Visitor } from '../../support/app/publishable.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { mailboxes, recipients, SILENCE, type SmtpBehaviour } from '../../support/smtp/smtp-behaviours.js';

const MINUTE_MS = 60_000;
const GREYLISTED = '450 4.2.0 Greylisted, see http://postgrey.schweikert.ch/';
const NAMES = ['ann', 'ben', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal', 'ida', 'jim'];
const ENVELOPE_OF_NO_KEY = 'v1.AAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const plain = mailboxes(...NAMES);
const greyOnce: SmtpBehaviour = {
  ...plain,
  rcpt: (asking) =>
    NAMES.includes(asking.localPart) && asking.times === 1 ? GREYLISTED : plain.rcpt(asking),
};
const scene = (domain: string) => ({ domain, story: 'greylists once', servers: [greyOnce], expect: {} });

describe('rechecks', () => {
  let world: MailWorld;
  let app: TestApp;
  let account: NewAccount;
  beforeAll(async () => {
    world = await MailWorld.start({ scenes: ['quick.mailworld', 'slow.mailworld'].map(scene) });
    app = await anApp(world.env);
  });
  beforeEach(async () => {
    account = await app.anAccount('starter');
    for (const domain of ['quick.mailworld', 'slow.mailworld']) {
      world.server(domain).triplets.clear();
      world.server(domain).behaviour = greyOnce;
    }
    // Expires the server state of earlier tests.
    app.clock.advance(25 * 60 * MINUTE_MS);
  });
  afterEach(() => sql('TRUNCATE rechecks'));
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const sql = <T>(query: string, values: unknown[] = []) =>
    app.service.app.get(DataSource).query<T[]>(query, values);
  const repository = () => app.service.app.get(RecheckRepository);
  const claim = (by = account) => repository().claim(by.team.id);
  const pending = () => sql<object>('SELECT * FROM rechecks WHERE due_at IS NOT NULL');
  const verify = async (email: string, by = account) => {
    const answer = await app.get(`/v1/verify?email=${email}`, by.liveKey);
    expect(answer.body).toMatchObject({ reason: 'greylisted' });
  };
  const events = (teamId: string) =>
    sql<{ data: { status: string; check_id: string } }>(
      `SELECT data FROM outbox WHERE type = 'verification.completed' AND team_id = $1`,
      [teamId],
    );
  /** Inserts deferred single checks whose address cannot be decrypted. */
  const planted = (teamId: string, count: number, due = app.clock.now()) =>
    sql(
      `INSERT INTO rechecks (id, team_id, address_hash, address, reason, key_id, first_requested_at, due_at)
       SELECT 'chk_' || $1 || n, $1, sha256(n::text::bytea), $4, 'greylisted', 'key_1', now(), $3
         FROM generate_series(1, $2::integer) AS n`,
      [teamId, count, due, ENVELOPE_OF_NO_KEY],
    );

  it('that a publishable key caused count for the half of the quota of these keys', async () => {
    const { key } = await aPublishableKey(app, account.liveKey);
    const asked = await new Visitor(app, key, '127.0.0.1').verify('ann@quick.mailworld');
    expect(asked.body).toMatchObject({ reason: 'greylisted' });
    await verify('ben@quick.mailworld');
    await sql(
      `INSERT INTO quota_days AS d (team_id, day, used, publishable) VALUES ($1, rcpt_today(), 500, 500)
       ON CONFLICT (team_id, day) DO UPDATE SET used = 500, publishable = 500`,
      [account.team.id],
    );
    app.clock.advance(5 * MINUTE_MS);
    await recheckOn(app);
    const statuses = (await events(account.team.id)).map(({ data }) => data.status);
    expect(statuses.sort()).toEqual(['deliverable', 'unknown']);
  });

  it('of one team are limited to 16 at a time, over all processes', async () => {
    const other = await app.anAccount();
    await planted(account.team.id, 40);
    await planted(other.team.id, 1);
    for (let n = 0; n < 16; n++) expect(await claim()).toMatchObject({ teamId: account.team.id });
    expect(await claim()).toBeNull();
    expect(await claim(other)).toMatchObject({ teamId: other.team.id });
  });

  it('have a job of each team with due ones added by a sweep', async () => {
    const other = await app.anAccount();
    await planted(account.team.id, 300);
    await planted(other.team.id, 1);
    await planted((await app.anAccount()).team.id, 1, new Date(app.clock.now().getTime() + MINUTE_MS));
    const teams = await repository().listWaitingTeams();
    expect([...teams].sort()).toEqual([account.team.id, other.team.id].sort());
  });

  it('of fast servers do not wait for a server that does not answer', async () => {
    // A tier without a rate limit, since the test polls the job.
    account = await app.anAccount();
    const list = [...NAMES.map((name) => `${name}@quick.mailworld`), 'ann@slow.mailworld'];
    const { id } = await aBulkJob(app, account.liveKey, list);
    await workOn(app);
    expect(await jobOf(app, account.liveKey, id)).toMatchObject({ processed: 0 });
    await verify('ben@slow.mailworld');
    world.server('slow.mailworld').behaviour = { ...plain, rcpt: () => SILENCE };
    app.clock.advance(5 * MINUTE_MS);
    const slots = [1, 2, 3].map(() => recheckOn(app));
    let processed = 0;
    while (processed < NAMES.length) ({ processed } = await jobOf(app, account.liveKey, id));
    expect(processed).toBe(NAMES.length);
    expect(await pending()).toHaveLength(2);
    world.server('slow.mailworld').behaviour = plain;
    await Promise.all(slots);
    expect((await resultsOf(app, account.liveKey, id)).at(-1)).toMatchObject({ email: 'ann@slow.mailworld' });
    expect((await jobOf(app, account.liveKey, id)).status).toBe('completed');
  });

  it('whose address cannot be decrypted are deleted, and the others continue', async () => {
    await verify('ann@quick.mailworld');
    await verify('ben@quick.mailworld');
    await sql(`UPDATE rechecks SET address = $1 WHERE id = (SELECT min(id) FROM rechecks)`, [
      ENVELOPE_OF_NO_KEY,
    ]);
    app.clock.advance(5 * MINUTE_MS);
    await recheckOn(app);
    expect(await pending()).toEqual([]);
    expect(await events(account.team.id)).toMatchObject([{ data: { status: 'deliverable' } }]);
  });

  it('of a list that cannot be decrypted are answered as internal_error, for free, and the job ends', async () => {
    const { id } = await aBulkJob(app, account.liveKey, ['ann@quick.mailworld', 'ben@quick.mailworld']);
    await workOn(app);
    await sql(`UPDATE rechecks SET address = $1, verdict = $1 WHERE id = (SELECT min(id) FROM rechecks)`, [
      ENVELOPE_OF_NO_KEY,
    ]);
    app.clock.advance(5 * MINUTE_MS);
    await recheckOn(app);
    expect(await jobOf(app, account.liveKey, id)).toMatchObject({
      status: 'completed',
      by_reason: { internal_error: 1, accepted_email: 1 },
      usage: { reserved: 2, charged: 1, returned: 1 },
    });
    const rows = await resultsOf(app, account.liveKey, id);
    expect(rows.map((row) => row.email)).toEqual(['ann@quick.mailworld', 'ben@quick.mailworld']);
  });

  it('of a deleted team are deleted', async () => {
    await planted('team_gone', 1);
    await recheckOn(app);
    expect(await sql('SELECT * FROM rechecks')).toEqual([]);
  });

  it('of an ended job are deleted at the first claim, without a probe', async () => {
    const { id } = await aBulkJob(
      app,
      account.liveKey,
      NAMES.map((name) => `${name}@quick.mailworld`),
    );
    await workOn(app);
    // As if the steps after a cancel had failed.
    await sql(`UPDATE bulk_jobs SET state = 'canceled', finished_at = now() WHERE id = $1`, [id]);
    app.clock.advance(5 * MINUTE_MS);
    const asked = world.server('quick.mailworld').commandsOf('RCPT').length;
    const claimed = await claim();
    await app.service.app.get(RecheckRunService).run(claimed!, new AbortController().signal);
    expect(await pending()).toEqual([]);
    expect(world.server('quick.mailworld').commandsOf('RCPT')).toHaveLength(asked);
  });

  it('that fail repeatedly are completed with the latest answer, and delay no others', async () => {
    await verify('ann@quick.mailworld');
    app.clock.advance(5 * MINUTE_MS);
    await sql('ALTER TABLE address_facts RENAME TO set_aside');
    for (let failure = 1; failure <= 5; failure++) {
      await recheckOn(app);
      expect(await pending()).toMatchObject([{ claims: failure, lease: null }]);
      // It is retried after a growing pause.
      expect(await claim()).toBeNull();
      await sql('UPDATE rechecks SET leased_until = now()');
    }
    await recheckOn(app);
    await sql('ALTER TABLE set_aside RENAME TO address_facts');
    expect(await pending()).toEqual([]);
    expect(await events(account.team.id)).toMatchObject([{ data: { status: 'unknown' } }]);
    expect(app.logged()).toContain('recheck failed');
  });

  it('that are interrupted by a shutdown do not count as attempts, and are claimed again', async () => {
    await verify('ann@slow.mailworld');
    world.server('slow.mailworld').behaviour = { ...plain, rcpt: () => SILENCE };
    app.clock.advance(5 * MINUTE_MS);
    const ending = new AbortController();
    const asked = world.server('slow.mailworld').commandsOf('RCPT').length;
    const slot = recheckOn(app, ending.signal);
    await world.server('slow.mailworld').until((server) => server.commandsOf('RCPT').length > asked);
    ending.abort();
    world.server('slow.mailworld').behaviour = recipients({}, '421 4.3.2 shutting down');
    await slot;
    expect(await pending()).toMatchObject([{ claims: 0, attempts: 0, lease: null }]);
    world.server('slow.mailworld').behaviour = plain;
  });

  it('of rows whose server has refused us are made like those of single checks', async () => {
    world.server('slow.mailworld').behaviour = recipients({}, '550 5.7.1 Your IP is blocked');
    const { id } = await aBulkJob(app, account.liveKey, ['ann@slow.mailworld']);
    await workOn(app);
    expect(await jobOf(app, account.liveKey, id)).toMatchObject({ status: 'running', processed: 0 });
    world.server('slow.mailworld').behaviour = plain;
    app.clock.advance(5 * MINUTE_MS);
    await recheckOn(app);
    expect(await jobOf(app, account.liveKey, id)).toMatchObject({
      status: 'completed',
      by_reason: { accepted_email: 1 },
    });
  });
});
