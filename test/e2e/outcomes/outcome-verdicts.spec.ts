import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { AddressFactsService } from '../../../src/modules/verification/verification/facts/address-facts.service.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { VerificationService } from '../../../src/modules/verification/verification/single/verification.service.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { resultsOf, sendList, workOn } from '../../support/app/bulk.js';
import { MailWorld } from '../../support/mail/mail-world.js';

const DAY = 86_400_000;
const HARD = { outcome: 'bounced', reply: '550 5.1.1 User unknown' };

describe('a verdict', () => {
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
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  /** @param daysAgo of the event. */
  const know = async (email: string, outcome: object, daysAgo = 1, owner = account) => {
    const at = new Date(app.clock.now().getTime() - daysAgo * DAY).toISOString();
    const sent = await app.post('/v1/outcomes', owner.liveKey).send({ email, at, ...outcome });
    expect(sent.body).toMatchObject({ stored: 1 });
  };
  const verify = async (email: string, more = '', key = account.liveKey): Promise<VerdictResponse> => {
    const answer = await app.get(`/v1/verify?email=${encodeURIComponent(email)}${more}`, key);
    expect(answer.status).toBe(200);
    answers.expect('GET', '/v1/verify', answer);
    return answer.body as VerdictResponse;
  };
  const probes = (domain: string) => world.server(domain).commandsOf('RCPT').length;

  it('after a hard bounce is undeliverable without a connection, also with refresh', async () => {
    await know('jane@plain.mailworld', HARD);
    const before = probes('plain.mailworld');
    for (const more of ['', '&refresh=true'])
      expect(await verify('JANE@plain.mailworld', more)).toMatchObject({
        status: 'undeliverable',
        reason: 'bounced',
        score: 0,
        smtp: null,
        cached: true,
        policy: { decision: 'reject', rule: null },
        outcome: { kind: 'bounced', code: 550, enhanced_code: '5.1.1', text: 'User unknown' },
      });
    expect(probes('plain.mailworld')).toBe(before);
  });

  it('depends on a hard bounce for 180 days, and until a newer delivery', async () => {
    await know('jane@plain.mailworld', HARD, 181);
    expect(await verify('jane@plain.mailworld')).toMatchObject({
      reason: 'accepted_email',
      outcome: { kind: 'bounced' },
    });
    await know('jane@lines.mailworld', HARD, 10);
    expect((await verify('jane@lines.mailworld')).reason).toBe('bounced');
    await know('jane@lines.mailworld', { outcome: 'delivered' }, 9);
    expect(await verify('jane@lines.mailworld')).toMatchObject({
      reason: 'accepted_email',
      outcome: { kind: 'delivered' },
    });
  });

  it.each([
    '452 4.2.2 Mailbox full',
    '554 5.7.1 Client host blocked using zen.spamhaus.org',
    '550 5.7.1 Message content rejected as spam',
    '421 4.7.0 Try again later',
    '550 5.7.1 Access denied',
  ])('does not depend on a bounce that is not hard: %s', async (reply) => {
    await know('jane@plain.mailworld', { outcome: 'bounced', reply });
    expect(await verify('jane@plain.mailworld')).toMatchObject({
      reason: 'accepted_email',
      outcome: { kind: 'bounced' },
    });
  });

  it('of a catch-all or a server that does not answer is deliverable after a delivery within 90 days', async () => {
    await know('jane@everybody.mailworld', { outcome: 'delivered' }, 89);
    expect(await verify('jane@everybody.mailworld')).toMatchObject({
      status: 'deliverable',
      reason: 'delivered',
      score: 90,
      checks: { catch_all: true },
      policy: { decision: 'accept' },
    });
    await know('jane@later.mailworld', { outcome: 'delivered' });
    expect(await verify('jane@later.mailworld')).toMatchObject({ reason: 'delivered', retry_after: null });
    await know('joe@everybody.mailworld', { outcome: 'delivered' }, 91);
    expect((await verify('joe@everybody.mailworld')).reason).toBe('catch_all');
  });

  it('that a server decides is not changed by a delivery', async () => {
    await know('ghost@plain.mailworld', { outcome: 'delivered' });
    expect((await verify('ghost@plain.mailworld')).reason).toBe('mailbox_not_found');
    await know('jane@missing-domain.mailworld', { outcome: 'delivered' });
    expect((await verify('jane@missing-domain.mailworld')).status).not.toBe('deliverable');
  });

  it('after a complaint is to be reviewed', async () => {
    await know('jane@plain.mailworld', { outcome: 'complained' }, 300);
    expect(await verify('jane@plain.mailworld')).toMatchObject({
      status: 'deliverable',
      policy: { decision: 'review', rule: 'complained' },
      outcome: { kind: 'complained' },
    });
    await know('ghost@plain.mailworld', { outcome: 'complained' });
    expect((await verify('ghost@plain.mailworld')).policy).toEqual({ decision: 'reject', rule: null });
  });

  it('does not depend on the outcomes of another team', async () => {
    await know('jane@plain.mailworld', HARD, 1, await app.anAccount());
    expect(await verify('jane@plain.mailworld')).toMatchObject({ reason: 'accepted_email', outcome: null });
  });

  it('does not depend on outcomes that were deleted with the address', async () => {
    await know('jane@plain.mailworld', HARD);
    const erased = await app.service.app.get(AddressFactsService).erase('Jane@plain.mailworld');
    expect(erased.outcomes).toBeGreaterThanOrEqual(1);
    expect((await verify('jane@plain.mailworld')).reason).toBe('accepted_email');
  });

  it('is the same in a call with several addresses, in a list, and in a recheck', async () => {
    const emails = ['jane@plain.mailworld', 'jane@everybody.mailworld', 'jane@lines.mailworld'];
    const reasons = ['bounced', 'delivered', 'accepted_email'];
    await know('jane@plain.mailworld', HARD);
    await know('jane@everybody.mailworld', { outcome: 'delivered' });
    await know('jane@lines.mailworld', { outcome: 'complained' });
    const several = await app.post('/v1/verify', account.liveKey).send({ emails });
    const { data } = several.body as { data: VerdictResponse[] };
    expect(data.map(({ reason }) => reason)).toEqual(reasons);

    const list = await sendList(app, account.liveKey, JSON.stringify({ emails }), 'application/json');
    await workOn(app);
    const rows = await resultsOf(app, account.liveKey, (list.body as { id: string }).id);
    expect(rows).toMatchObject([
      { reason: 'bounced', outcome: { kind: 'bounced' } },
      { reason: 'delivered', outcome: { kind: 'delivered' } },
      { reason: 'accepted_email', policy: { decision: 'review', rule: 'complained' } },
    ]);

    const caller = {
      teamId: account.team.id,
      tier: 'unlimited',
      mode: 'live' as const,
      rules: { roleIsRisky: false, retentionDays: 30 },
    };
    const service = app.service.app.get(VerificationService);
    const rechecked = await Promise.all(emails.map((email) => service.recheck(caller, email)));
    expect(rechecked.map(({ verdict }) => verdict.reason)).toEqual(reasons);
    expect(rechecked[0]?.fromNetwork).toBe(false);
  });

  it('is the same for a key of a web page', async () => {
    await know('jane@plain.mailworld', HARD);
    const created = await app.post('/v1/keys', account.liveKey).send({
      name: 'Form',
      kind: 'publishable',
      allowed_origins: ['https://shop.example'],
    });
    const { key } = created.body as { key: string };
    const answer = await app
      .get('/v1/verify?email=jane@plain.mailworld', key)
      .set('Origin', 'https://shop.example');
    expect(answer.body).toMatchObject({ status: 'undeliverable', reason: 'bounced' });
  });

  it('of a test key is as its name says', async () => {
    expect(await verify('bounced@example.com', '', account.testKey)).toMatchObject({
      reason: 'bounced',
      outcome: { kind: 'bounced', code: 550 },
    });
    expect(await verify('jane+delivered@example.com', '', account.testKey)).toMatchObject({
      reason: 'delivered',
      score: 90,
      outcome: { kind: 'delivered' },
    });
  });
});
