import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { AccuracyResponse } from '../../../src/modules/verification/outcomes/outcomes.dto.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { VerificationService } from '../../../src/modules/verification/verification/single/verification.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { resultsOf, sendList, workOn } from '../../support/app/bulk.js';
import { aPublishableKey, Visitor } from '../../support/app/publishable.js';
import { MailWorld } from '../../support/mail/mail-world.js';

const JANE = 'jane@plain.mailworld';
const EVERYBODY = 'jane@everybody.mailworld';

/** Each test has a team without outcomes, whose verdicts are cached. */
describe('the first outcome of a team finds a verdict that was cached before, and decides about it', () => {
  let world: MailWorld;
  let app: TestApp;
  let account: NewAccount;
  beforeAll(async () => {
    world = await MailWorld.start();
    app = await anApp(world.env);
  });
  beforeEach(async () => {
    account = await app.anAccount();
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const tellAll = async () => {
    const outcomes = [
      { email: JANE, outcome: 'bounced', reply: '550 5.1.1 User unknown' },
      { email: EVERYBODY, outcome: 'delivered' },
    ];
    const sent = await app.post('/v1/outcomes', account.liveKey).send({ outcomes });
    expect(sent.body).toMatchObject({ stored: 2 });
  };
  const BEFORE = [{ reason: 'accepted_email' }, { reason: 'catch_all' }];
  const AFTER = [
    { status: 'undeliverable', reason: 'bounced' },
    { status: 'deliverable', reason: 'delivered' },
  ];
  const probed = () => world.server('plain.mailworld').commandsOf('RCPT').length;
  /** @param verify both addresses. */
  const expectChange = async (verify: () => Promise<unknown>) => {
    expect(await verify()).toMatchObject(BEFORE);
    const before = probed();
    expect(await verify()).toMatchObject(BEFORE);
    expect(probed()).toBe(before);
    await tellAll();
    expect(await verify()).toMatchObject(AFTER);
    expect(probed()).toBe(before);
    const accuracy = await app.get('/v1/accuracy', account.liveKey);
    expect((accuracy.body as AccuracyResponse).data).toEqual([
      expect.objectContaining({ reason: 'accepted_email', verified: 1, bounced: 1, delivered: 0 }),
      expect.objectContaining({ reason: 'catch_all', verified: 1, bounced: 0, delivered: 1 }),
    ]);
  };

  it('of a single call', () =>
    expectChange(async () => {
      const verify = async (email: string) =>
        (await app.get(`/v1/verify?email=${email}`, account.liveKey)).body as VerdictResponse;
      return [await verify(JANE), await verify(EVERYBODY)];
    }));

  it('of a call with several addresses', () =>
    expectChange(async () => {
      const emails = [JANE, EVERYBODY];
      const answer = await app.post('/v1/verify', account.liveKey).send({ emails });
      return (answer.body as { data: VerdictResponse[] }).data;
    }));

  it('of a list', () =>
    expectChange(async () => {
      const body = JSON.stringify({ emails: [JANE, EVERYBODY] });
      const list = await sendList(app, account.liveKey, body, 'application/json');
      await workOn(app);
      return resultsOf(app, account.liveKey, (list.body as { id: string }).id);
    }));

  it('of a key of a web page', async () => {
    const { key } = await aPublishableKey(app, account.liveKey, {});
    const visitor = new Visitor(app, key, '198.51.100.1');
    await expectChange(async () => {
      const verify = async (email: string): Promise<unknown> => (await visitor.verify(email)).body;
      return [await verify(JANE), await verify(EVERYBODY)];
    });
  });

  it('of a recheck', async () => {
    const rules = { roleIsRisky: false, retentionDays: 30 };
    const caller = { teamId: account.team.id, tier: 'unlimited', mode: 'live', rules } as const;
    const service = app.service.app.get(VerificationService);
    // A recheck does not store what it finds.
    await app.post('/v1/verify', account.liveKey).send({ emails: [JANE, EVERYBODY] });
    await expectChange(async () => {
      const checked = await Promise.all([JANE, EVERYBODY].map((email) => service.recheck(caller, email)));
      return checked.map(({ verdict }) => verdict);
    });
  });
});
