import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { UserErasureService } from '../../../src/modules/identity/teams/users/user-erasure.service.js';
import { PostgresMailQueue } from '../../../src/platform/mail/postgres-mail-queue.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, aHeldJob, jobOf, previewOn, sendList, workOn } from '../../support/app/bulk.js';
import { aKeyOf, auditActionsOf, joinTeam, rowsOf } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';
import { MailSink } from '../../support/mail/mail-sink.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';

const ROWS = ['jane@example.com', 'joe@example.com', 'mailbox_not_found@example.com'];

describe('the mail about a list that is ready', () => {
  let sink: MailSink;
  let app: TestApp;
  let owner: NewAccount;
  let answers: ResponseValidator;
  beforeAll(async () => {
    sink = await MailSink.start();
    app = await anApp({
      PUBLIC_URL: 'https://verify.example/rcpt',
      INVITE_SMTP_URL: sink.url,
      INVITE_FROM: 'rcpt@service.example',
    });
    answers = await ResponseValidator.published(app);
  });
  beforeEach(async () => {
    owner = await app.anAccount();
    sink.received.length = 0;
  });
  afterEach(async () => {
    await workOn(app);
    await rowsOf(app, 'DELETE FROM outgoing_mails');
  });
  afterAll(async () => {
    await app.stop();
    await sink.close();
  });

  /** Sends what is queued, but for invites. */
  const send = async () => {
    await rowsOf(app, "DELETE FROM outgoing_mails WHERE kind = 'invite'");
    return app.service.app.get(PostgresMailQueue).sendDue();
  };
  const text = () => Buffer.from(sink.lastText(), 'latin1').toString().replaceAll('\r\n', '\n');
  const change = (id: string, body: object, key = owner.testKey) =>
    app.request('patch', `/v1/bulk-jobs/${id}`, key).send(body);
  const refusal = (code: string) => ({ errors: [{ pointer: '/notify', code }] });

  it('goes to the user of the key once, when the list has ended, with counts and without its addresses', async () => {
    const job = await aBulkJob(app, owner.testKey, ROWS, { name: 'Spring', notify: 'en' });
    expect(job).toMatchObject({ notify: 'en' });
    expect(await send()).toBe(0);
    await workOn(app);
    expect(await send()).toBe(1);
    await workOn(app);
    expect(await send()).toBe(0);
    expect(sink.received).toMatchObject([{ to: [owner.user.email] }]);
    expect(sink.received[0]?.source).toMatch(/^Subject: \S*Your_list_=22Spring=22_is_ready/m);
    expect(text()).toContain('- deliverable: 2\n- undeliverable: 1\n- risky: 0\n- unknown: 0\n');
    expect(text()).toContain(`https://verify.example/rcpt/console/lists/${job.id}\n`);
    for (const email of ROWS) expect(sink.received[0]?.source).not.toContain(email);
  });

  it('is not sent about a list that is held, canceled or deleted before its start', async () => {
    const notified = () => aHeldJob(app, owner.testKey, ROWS, { notify: 'en' });
    const [started, canceled, deleted] = [await notified(), await notified(), await notified()];
    await previewOn(app);
    await app.post(`/v1/bulk-jobs/${canceled.id}/cancel`, owner.testKey);
    await app.delete(`/v1/bulk-jobs/${deleted.id}`, owner.testKey);
    await workOn(app);
    expect(await send()).toBe(0);
    await app.post(`/v1/bulk-jobs/${started.id}/start`, owner.testKey);
    await workOn(app);
    expect(await send()).toBe(1);
  });

  it('can be asked for in the query of a CSV, in German', async () => {
    const list = `email\n${ROWS.join('\n')}\n`;
    const { body } = await sendList(app, owner.testKey, list, 'text/csv', {
      query: '?notify=de&name=M%C3%A4rz',
    });
    expect(body).toMatchObject({ notify: 'de' });
    await workOn(app);
    await send();
    expect(text()).toContain('Ihre Liste „März“ bei Rcpt ist geprüft. Zeilen:');
    expect(text()).toContain('- zustellbar: 2\n- unzustellbar: 1\n- riskant: 0\n- unbekannt: 0\n');
  });

  it('can be asked for, and be given up, while the list runs; afterwards no more', async () => {
    const job = await aBulkJob(app, owner.testKey, ROWS);
    expect(job).toMatchObject({ notify: null });
    const asked = await change(job.id, { notify: 'en' });
    answers.expect('PATCH', '/v1/bulk-jobs/{id}', asked);
    expect(asked.body).toEqual({ ...job, notify: 'en' });
    expect((await change(job.id, { notify: null })).body).toMatchObject({ notify: null });
    await workOn(app);
    expect(await send()).toBe(0);
    expect(expectProblem(await change(job.id, { notify: 'de' }), 400, 'invalid_request')).toMatchObject(
      refusal('already_ended'),
    );
  });

  it('is not sent about a list that was canceled or deleted', async () => {
    const canceled = await aBulkJob(app, owner.testKey, ROWS, { notify: 'en' });
    await app.post(`/v1/bulk-jobs/${canceled.id}/cancel`, owner.testKey).expect(200);
    const deleted = await aBulkJob(app, owner.testKey, ROWS, { notify: 'en' });
    await workOn(app);
    await app.delete(`/v1/bulk-jobs/${deleted.id}`, owner.testKey).expect(204);
    expect(await send()).toBe(0);
  });

  it('is refused for a service key, and for an address that nobody has confirmed', async () => {
    const service = await aKeyOf(app, owner, null);
    const asking = (key: string) => app.post('/v1/verify/bulk', key).send({ emails: ROWS, notify: 'en' });
    expect(expectProblem(await asking(service), 400, 'invalid_request')).toMatchObject(refusal('no_user'));
    await rowsOf(app, 'UPDATE users SET confirmed_at = NULL WHERE id = $1', [owner.user.id]);
    expect(expectProblem(await asking(owner.testKey), 400, 'invalid_request')).toMatchObject(
      refusal('unconfirmed_address'),
    );
    expect((await app.get('/v1/bulk-jobs', owner.testKey)).body).toMatchObject({ data: [] });
    const wrong = await app.post('/v1/verify/bulk', owner.testKey).send({ emails: ROWS, notify: true });
    expect(expectProblem(wrong, 400, 'invalid_request')).toMatchObject({ errors: [{ pointer: '/notify' }] });
  });

  it('is the choice of its recipient alone', async () => {
    const member = await joinTeam(app, owner);
    const { id } = await aBulkJob(app, member.key, ['no address'], { notify: 'en' });
    for (const notify of ['de', null])
      expect(
        expectProblem(await change(id, { notify }, owner.liveKey), 400, 'invalid_request'),
      ).toMatchObject(refusal('not_creator'));
  });

  it('is not sent to a user who has left the team', async () => {
    const member = await joinTeam(app, owner);
    await aBulkJob(app, member.key, ['no address'], { notify: 'en' });
    await app.delete(`/v1/team/members/${member.id}`, owner.liveKey).expect(204);
    await workOn(app);
    expect(await send()).toBe(0);
  });

  it('is sent for at most 50 lists of a team in a day', async () => {
    const ended = async () => {
      await aBulkJob(app, owner.testKey, ['no address'], { notify: 'en' });
      await workOn(app);
      return send();
    };
    expect(await ended()).toBe(1);
    await rowsOf(app, 'UPDATE signup_mail_counts SET mails = 50');
    expect(await ended()).toBe(0);
    app.clock.advance(86_400_000);
    expect(await ended()).toBe(1);
  });

  it('is deleted from the queue with its recipient, whom the list no longer names', async () => {
    const member = await joinTeam(app, owner);
    const job = await aBulkJob(app, member.key, ['no address'], { notify: 'en' });
    expect(job.created_by).toEqual({ user_id: member.userId, email: member.email });
    await workOn(app);
    await app.service.app.get(UserErasureService).erase(member.email, true);
    expect(await send()).toBe(0);
    expect(await jobOf(app, owner.liveKey, job.id)).toMatchObject({ status: 'completed', created_by: null });
    expect(await rowsOf(app, 'SELECT 1 FROM bulk_jobs WHERE created_by = $1', [member.userId])).toEqual([]);
  });
});

describe('a bulk job', () => {
  let app: TestApp;
  let owner: NewAccount;
  let answers: ResponseValidator;
  beforeAll(async () => {
    app = await anApp();
    owner = await app.anAccount();
    answers = await ResponseValidator.published(app);
  });
  afterAll(() => app.stop());

  const change = (id: string, body: object, key: string) =>
    app.request('patch', `/v1/bulk-jobs/${id}`, key).send(body);

  it('offers no mail where no mail server is configured', async () => {
    const answer = await app.post('/v1/verify/bulk', owner.testKey).send({ emails: ROWS, notify: 'en' });
    expect(expectProblem(answer, 400, 'invalid_request')).toMatchObject({
      errors: [{ pointer: '/notify', code: 'no_mail_server' }],
    });
  });

  it('names the user whose key created it, and nobody for a service key', async () => {
    const member = await joinTeam(app, owner);
    const own = await aBulkJob(app, member.key, ['no address']);
    const ofTeam = await aBulkJob(app, await aKeyOf(app, owner, null), ['no address']);
    const page = await app.get('/v1/bulk-jobs', owner.liveKey);
    answers.expect('GET', '/v1/bulk-jobs', page);
    const { data } = page.body as { data: { id: string; created_by: unknown }[] };
    const creatorOf = (id: string) => data.find((job) => job.id === id)?.created_by;
    expect(creatorOf(own.id)).toEqual({ user_id: member.userId, email: member.email });
    expect(creatorOf(ofTeam.id)).toBeNull();
  });

  it('is renamed, which the audit log says without the name', async () => {
    const team = await app.anAccount();
    const job = await aBulkJob(app, team.testKey, ROWS, { name: 'Spring' });
    const renamed = await change(job.id, { name: 'Summer' }, team.testKey);
    answers.expect('PATCH', '/v1/bulk-jobs/{id}', renamed);
    expect(renamed.body).toEqual({ ...job, name: 'Summer' });
    expect(await jobOf(app, team.testKey, job.id)).toMatchObject({ name: 'Summer' });
    await change(job.id, { name: 'Summer' }, team.testKey).expect(200);
    expect((await change(job.id, { name: null }, team.testKey)).body).toMatchObject({ name: null });
    const actions = await auditActionsOf(app, team.team.id);
    expect(actions.filter((action) => action === 'bulk.renamed')).toHaveLength(2);
    for (const body of [{}, { name: '' }, { name: 'x'.repeat(101) }, { total: 1 }])
      expectProblem(await change(job.id, body, team.testKey), 400, 'invalid_request');
    expectProblem(await change(job.id, { name: 'Mine' }, owner.testKey), 404, 'not_found');
    expectProblem(await change(job.id, { name: 'Live' }, team.liveKey), 404, 'not_found');
  });
});
