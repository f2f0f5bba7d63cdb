import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import type { AccuracyResponse } from '../../../src/modules/verification/outcomes/outcomes.dto.js';
import { TeamStatisticsService } from '../../../src/modules/verification/outcomes/team-statistics.service.js';
import { LearningService } from '../../../src/modules/verification/outcomes/learning.service.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { sweep } from '../../support/database/growing-tables.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { REPORT_FORMATS } from '../../support/outcomes/delivery-reports.js';
import { ListFolder } from '../../support/processes/list-folder.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const DAY_MS = 86_400_000;
/** Before and after the time in the reports of `REPORT_FORMATS`. */
const VERIFIED_AT = '2026-11-16T08:00:00Z';
const REPORTED_AT = '2026-11-16T12:00:00Z';
const HARD = { outcome: 'bounced', reply: '550 5.1.1 User unknown' };
const DELIVERED = { outcome: 'delivered' };
/** It has 40 mailboxes. */
const person = (n: number) => `person${n}@people.mailworld`;
const people = (count: number) => Array.from({ length: count }, (_, n) => person(n));

/** Each team verifies addresses, sends its mail, and reports for the first time. */
describe('a share needs its whole', () => {
  let world: MailWorld;
  let app: TestApp;
  let account: NewAccount;
  let answers: ResponseValidator;
  beforeAll(async () => {
    world = await MailWorld.start();
    app = await anApp(world.env);
    answers = await ResponseValidator.published(app);
  });
  beforeEach(async () => {
    account = await app.anAccount();
    app.clock.standAt(VERIFIED_AT);
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const verify = async (email: string): Promise<VerdictResponse> => {
    const answer = await app.get(`/v1/verify?email=${email}`, account.liveKey);
    expect(answer.status).toBe(200);
    await app.service.app.get(TeamStatisticsService).flush();
    return answer.body as VerdictResponse;
  };
  const wait = (ms: number) => {
    app.clock.standAt(new Date(app.clock.now().getTime() + ms).toISOString());
    app.clock.advance(ms);
  };
  const verifyAll = async (count: number) => {
    for (const email of people(count)) expect(await verify(email)).toMatchObject({ status: 'deliverable' });
  };
  const learn = async () => {
    await app.service.app.get(LearningService).learnDue();
    // What a process has read is older than 4 s.
    wait(5_000);
  };
  const tell = async (outcomes: object[]) => {
    const sent = await app.post('/v1/outcomes', account.liveKey).send({ outcomes });
    expect(sent.body).toMatchObject({ stored: outcomes.length });
    await learn();
  };
  const accuracyOf = async (reason: string) => {
    const answer = await app.get('/v1/accuracy', account.liveKey);
    answers.expect('GET', '/v1/accuracy', answer);
    return (answer.body as AccuracyResponse).data.find((row) => row.reason === reason);
  };
  const expectedBounces = async (emails: readonly string[]) => {
    const { id } = await aBulkJob(app, account.liveKey, emails);
    await workOn(app);
    const answer = await app.get(`/v1/bulk-jobs/${id}`, account.liveKey);
    return (answer.body as BulkJobResponse).expected_bounces;
  };
  /** What the Postfix of the recipe does with the bounces that it gets. */
  const pipe = async (recipients: readonly string[]) => {
    app.clock.standAt(REPORTED_AT);
    const folder = await ListFolder.make();
    for (const [n, recipient] of recipients.entries()) {
      const reply = `550 5.1.1 <${recipient}>: Recipient address rejected: User unknown`;
      const name = `bounce${n}.eml`;
      const report = REPORT_FORMATS.postfix({ recipient, reply, remoteHost: 'mx.people.mailworld' });
      await folder.write(name, report);
      const env = { RCPT_URL: app.url, RCPT_API_KEY: account.liveKey };
      const done = await runRcpt(['outcomes', 'import', folder.in(name)], env);
      expect(done).toMatchObject({ code: 0, err: '' });
    }
    await folder.remove();
    await learn();
  };

  it('bounces that are few of all accepted addresses change no verdict, and give no share', async () => {
    await verifyAll(36);
    await pipe(people(3));
    expect(await verify(person(0))).toMatchObject({ reason: 'bounced', estimate: null });
    const good = { status: 'deliverable', reason: 'accepted_email', estimate: null };
    for (const n of [3, 35, 39]) expect(await verify(person(n))).toMatchObject(good);
    expect(await accuracyOf('accepted_email')).toMatchObject({
      verified: expect.any(Number),
      delivered: 0,
      bounced: 3,
      basis: 'bounces_only',
      bounce_rate: null,
    });
    expect(await expectedBounces([person(3), person(39)])).toBeNull();
  });

  it('bounces that are a tenth of all accepted addresses accuse the host, and give no share', async () => {
    await verifyAll(36);
    await pipe(people(4));
    expect(await verify(person(39))).toMatchObject({ reason: 'inconclusive_provider', estimate: null });
  });

  it('an address that is verified again is counted once', async () => {
    await verifyAll(36);
    for (let again = 0; again < 3; again += 1) for (const email of people(5)) await verify(email);
    await pipe(people(4));
    expect((await verify(person(39))).reason).toBe('inconclusive_provider');
  });

  it('bounces of addresses that were accepted before they were counted accuse nobody', async () => {
    await verifyAll(36);
    // As for a team that has verified them with the version before.
    await app.service.app.get(TeamStatisticsService).flush();
    await app.service.app
      .get(DataSource)
      .query('DELETE FROM outcome_accepted WHERE team_id = $1', [account.team.id]);
    wait(3_600_000);
    await verify(person(38));
    await pipe(people(4));
    expect((await verify(person(39))).reason).toBe('accepted_email');
  });

  it('with deliveries a host that returns mail has estimates, and a list there expected bounces', async () => {
    await verifyAll(36);
    await tell(people(36).map((email, n) => ({ email, ...(n < 6 ? HARD : DELIVERED) })));
    expect(await accuracyOf('accepted_email')).toMatchObject({
      basis: 'deliveries',
      bounce_rate: { value: 6 / 36 },
    });
    const verdict = await verify(person(39));
    expect(verdict).toMatchObject({
      status: 'risky',
      reason: 'inconclusive_provider',
      estimate: { basis: 'domain', outcomes: 36 },
    });
    expect(verdict.estimate?.deliverable).toBeCloseTo(30 / 36, 1);
    const emails = Array.from({ length: 4 }, (_, n) => person(36 + n));
    expect(await expectedBounces(emails)).toEqual({ low: 0, high: expect.any(Number) });
    // Outcomes of verdicts with the new reason belong to the same group.
    await tell(emails.map((email) => ({ email, ...DELIVERED })));
    expect((await verify('person36@people.mailworld')).estimate).toMatchObject({ basis: 'address' });
    expect((await verify('ghost@people.mailworld')).estimate).toBeNull();
    await tell([{ email: person(36), ...HARD, at: app.clock.now().toISOString() }]);
    expect((await verify(person(39))).estimate).toMatchObject({ basis: 'address' });
  });

  it('outcomes of more than 90 days ago accuse nobody and estimate nothing', async () => {
    await verifyAll(36);
    await tell(people(36).map((email, n) => ({ email, ...(n < 6 ? HARD : DELIVERED) })));
    expect((await verify(person(39))).reason).toBe('inconclusive_provider');
    wait(91 * DAY_MS);
    await learn();
    expect(await verify(person(39))).toMatchObject({ reason: 'accepted_email', estimate: null });
    expect(await verify(person(7))).toMatchObject({ reason: 'accepted_email', estimate: null });
    // Bounces decide about their address for 180 days.
    expect(await verify(person(0))).toMatchObject({ reason: 'bounced', estimate: null });
  });

  describe('of a source', () => {
    let path: string;
    beforeEach(async () => {
      const made = await app.post('/v1/outcome-sources', account.liveKey).send({ kind: 'sparkpost' });
      answers.expect('POST', '/v1/outcome-sources', made);
      path = new URL((made.body as { url: string }).url).pathname;
    });

    const send = async (type: 'bounce' | 'delivery', emails: readonly string[]) => {
      const reply = { raw_reason: HARD.reply, error_code: '550' };
      const event = (rcpt_to: string) => ({
        msys: { message_event: { type, rcpt_to, message_id: rcpt_to, ...(type === 'bounce' && reply) } },
      });
      const sent = await app.post(path).send(JSON.stringify(emails.map(event)));
      expect(sent.body).toMatchObject({ stored: emails.length });
      await learn();
    };
    const reports = async () => {
      const answer = await app.get('/v1/outcome-sources', account.liveKey);
      answers.expect('GET', '/v1/outcome-sources', answer);
      return (answer.body as { data: { reports: string[] }[] }).data[0]?.reports;
    };

    it('what it has sent in 30 days is what it reports', async () => {
      expect(await reports()).toEqual([]);
      await send('bounce', ['ghost@people.mailworld']);
      expect(await reports()).toEqual(['bounced']);
      wait(20 * DAY_MS);
      await send('delivery', [person(0)]);
      expect(await reports()).toEqual(['bounced', 'delivered']);
      wait(20 * DAY_MS);
      expect(await reports()).toEqual(['delivered']);
    });

    it('its bounces are a share once it has sent a delivery, however few arrived', async () => {
      await verifyAll(12);
      await send('bounce', people(8));
      expect(await accuracyOf('accepted_email')).toMatchObject({ basis: 'bounces_only' });
      expect((await verify(person(39))).estimate).toBeNull();
      await send('delivery', people(12).slice(8));
      expect(await accuracyOf('accepted_email')).toMatchObject({
        basis: 'deliveries',
        bounce_rate: { value: 8 / 12 },
      });
      expect((await verify(person(39))).estimate).toMatchObject({ basis: 'domain', outcomes: 12 });
      expect((await verify(person(0))).estimate).toMatchObject({ basis: 'address' });
    });
  });

  it('an outcome that comes within a second of an unknown verdict finds it', async () => {
    await tell([{ email: 'first@elsewhere.mailworld', ...DELIVERED }]);
    const answer = await app.get('/v1/verify?email=jane@nowhere.mailworld&timeout=5', account.liveKey);
    const { reason } = answer.body as VerdictResponse;
    await app.post('/v1/outcomes', account.liveKey).send({ email: 'jane@nowhere.mailworld', ...DELIVERED });
    expect(await accuracyOf(reason)).toMatchObject({ verified: 1, delivered: 1 });
  });

  it('the counts of accepted addresses contain none of them, and are deleted after 90 days and with the team', async () => {
    const rows = () =>
      app.service.app
        .get(DataSource)
        .query<{ addresses: number }[]>('SELECT * FROM outcome_accepted WHERE team_id = $1', [
          account.team.id,
        ]);
    await verifyAll(3);
    const [row, ...others] = await rows();
    expect([row?.addresses, others]).toEqual([3, []]);
    expect(JSON.stringify(row)).not.toMatch(/mailworld|person/);
    wait(92 * DAY_MS);
    await sweep(app, 'delete old counts of accepted addresses');
    expect(await rows()).toEqual([]);
    await verify(person(5));
    expect(await rows()).toHaveLength(1);
    expect((await app.delete('/v1/team', account.liveKey)).status).toBe(204);
    await sweep(app, 'delete rows of deleted subjects');
    expect(await rows()).toEqual([]);
  });
});
