import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { AccuracyResponse } from '../../../src/modules/verification/outcomes/outcomes.dto.js';
import { TeamStatisticsService } from '../../../src/modules/verification/outcomes/team-statistics.service.js';
import { LearningService } from '../../../src/modules/verification/outcomes/learning.service.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { AddressFactsService } from '../../../src/modules/verification/verification/facts/address-facts.service.js';
import { sweep } from '../../support/database/growing-tables.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { resultsOf, sendList, workOn } from '../../support/app/bulk.js';
import { MailWorld } from '../../support/mail/mail-world.js';

const HARD = { outcome: 'bounced', reply: '550 5.1.1 User unknown' };
const DELIVERED = { outcome: 'delivered' };

describe('from the outcomes of a team', () => {
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

  const query = (statement: string) => app.service.app.get(DataSource).query<unknown[]>(statement);
  const statistics = () => app.service.app.get(TeamStatisticsService);
  const verify = async (email: string, owner = account): Promise<VerdictResponse> => {
    const answer = await app.get(`/v1/verify?email=${email}`, owner.liveKey);
    expect(answer.status).toBe(200);
    answers.expect('GET', '/v1/verify', answer);
    await statistics().flush();
    return answer.body as VerdictResponse;
  };
  const tell = async (outcomes: object[], owner = account) => {
    const sent = await app.post('/v1/outcomes', owner.liveKey).send({ outcomes });
    expect(sent.body).toMatchObject({ ignored: [] });
    // What a process has read is older than 4 s.
    app.clock.advance(5_000);
  };
  /** From then on, verdicts are remembered. */
  const begin = (owner = account) => tell([{ email: 'first@elsewhere.mailworld', ...DELIVERED }], owner);
  const learn = async () => {
    await app.service.app.get(LearningService).learnDue();
    app.clock.advance(5_000);
  };
  const names = (count: number) => Array.from({ length: count }, (_, n) => `person${n}@people.mailworld`);
  const bounce = async (count: number, owner = account) => {
    await begin(owner);
    const emails = names(count);
    for (const email of emails) await verify(email, owner);
    await tell(
      emails.map((email) => ({ email, ...HARD })),
      owner,
    );
    await learn();
  };
  const accuracy = async (): Promise<AccuracyResponse> => {
    const answer = await app.get('/v1/accuracy?days=30', account.liveKey);
    answers.expect('GET', '/v1/accuracy', answer);
    return answer.body as AccuracyResponse;
  };

  it('an outcome finds the verdict of a single call and of a list, and accuracy compares them', async () => {
    await begin();
    await verify('person0@people.mailworld');
    const emails = ['person1@people.mailworld', 'ghost@people.mailworld'];
    await sendList(app, account.liveKey, JSON.stringify({ emails }), 'application/json');
    await workOn(app);
    await statistics().flush();
    await tell([
      { email: 'person0@people.mailworld', ...DELIVERED },
      { email: 'person1@people.mailworld', ...HARD },
      { email: 'person0@people.mailworld', outcome: 'complained' },
    ]);
    const { data, calibration } = await accuracy();
    const common = { status: 'deliverable', reason: 'accepted_email', provider: null };
    expect(data).toMatchObject([
      { ...common, verified: 2, delivered: 1, bounced: 1, complained: 1, bounce_rate: { value: 0.5 } },
      { reason: 'mailbox_not_found', verified: 1, delivered: 0, bounced: 0, bounce_rate: null },
    ]);
    expect(calibration).toEqual({ outcomes: 0, brier: null, error: null });
  });

  it('nothing is remembered of a team that reports no outcomes', async () => {
    await verify('person0@people.mailworld');
    expect(await query(`SELECT FROM outcome_verdicts WHERE team_id = '${account.team.id}'`)).toHaveLength(0);
  });

  it('an estimate is given, and never changes the status', async () => {
    await begin();
    expect((await verify('person0@people.mailworld')).estimate).toBeNull();
    for (const email of names(4)) await verify(email);
    await tell(names(4).map((email, n) => ({ email, ...(n === 0 ? HARD : DELIVERED) })));
    await learn();
    const verdict = await verify('person39@people.mailworld');
    expect(verdict).toMatchObject({ reason: 'accepted_email', estimate: { basis: 'domain', outcomes: 4 } });
    const { deliverable = 0, low = 0, high = 0 } = verdict.estimate ?? {};
    expect(low).toBeLessThan(deliverable);
    expect(high).toBeGreaterThan(deliverable);
    expect((await verify('person1@people.mailworld')).estimate).toMatchObject({ basis: 'address' });
    await tell([{ email: 'person39@people.mailworld', ...DELIVERED }]);
    expect((await accuracy()).calibration).toMatchObject({ outcomes: 1 });

    const body = JSON.stringify({ emails: ['person38@people.mailworld', 'ghost@people.mailworld'] });
    const list = await sendList(app, account.liveKey, body, 'application/json');
    await workOn(app);
    const { id } = list.body as { id: string };
    const job = await app.get(`/v1/bulk-jobs/${id}`, account.liveKey);
    expect(job.body).toMatchObject({ expected_bounces: { low: 0, high: 1 } });
    expect((await resultsOf(app, account.liveKey, id))[0]).toMatchObject({ estimate: { basis: 'domain' } });
  });

  it('a host whose accepted addresses bounce proves nothing for this team, not for another', async () => {
    await bounce(3);
    expect(await verify('person39@people.mailworld')).toMatchObject({
      status: 'risky',
      reason: 'inconclusive_provider',
    });
    expect((await verify('jane@everybody.mailworld')).reason).toBe('catch_all');
    const other = await app.anAccount();
    expect((await verify('person39@people.mailworld', other)).reason).toBe('accepted_email');
  });

  it('two bounces, or less than a tenth, say nothing about the host', async () => {
    await bounce(2);
    expect((await verify('person39@people.mailworld')).reason).toBe('accepted_email');
    const many = Array.from({ length: 29 }, (_, n) => `person${n + 2}@people.mailworld`);
    for (const email of many) await verify(email);
    await tell(many.map((email, n) => ({ email, ...(n === 0 ? HARD : DELIVERED) })));
    await learn();
    expect((await verify('person39@people.mailworld')).reason).toBe('accepted_email');
  });

  it('what teams say of addresses without end moves nothing for another, however many teams they are', async () => {
    await bounce(12);
    for (let batch = 0; batch < 3; batch += 1) {
      const lies = Array.from({ length: 1_000 }, (_, n) => `lie${batch}.${n}@people.mailworld`);
      await tell(lies.map((email) => ({ email, ...HARD })));
    }
    await learn();
    const others = [await app.anAccount(), await app.anAccount(), await app.anAccount()] as const;
    expect(await verify('person39@people.mailworld', others[2])).toMatchObject({
      reason: 'accepted_email',
      estimate: null,
    });
    await bounce(3, others[0]);
    await bounce(3, others[1]);
    expect((await verify('person39@people.mailworld', others[1])).reason).toBe('inconclusive_provider');
    expect((await verify('person39@people.mailworld', others[2])).reason).toBe('accepted_email');
  });

  it('verdicts are deleted with the outcomes of an address, with the address, and after 90 days', async () => {
    await begin();
    const rows = async () =>
      (await query(`SELECT FROM outcome_verdicts WHERE team_id = '${account.team.id}'`)).length;
    await verify('person0@people.mailworld');
    await verify('person1@people.mailworld');
    await verify('person2@people.mailworld');
    expect(await rows()).toBe(3);
    await app.delete('/v1/outcomes?email=person0@people.mailworld', account.liveKey);
    await app.service.app.get(AddressFactsService).erase('person1@people.mailworld');
    expect(await rows()).toBe(1);
    app.clock.advance(92 * 86_400_000);
    await sweep(app, 'delete old verdicts of outcomes');
    expect(await rows()).toBe(0);
  });

  it('all of a deleted team is deleted', async () => {
    await bounce(3);
    const id = account.team.id;
    await statistics().deleteByTeam(id);
    for (const table of ['outcome_verdicts', 'outcome_statistics', 'outcome_hosts'])
      expect(await query(`SELECT FROM ${table} WHERE team_id = '${id}'`)).toHaveLength(0);
  });
});
