import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { OutcomeReport } from '../../../src/kernel/outcome-report.js';
import type { TeamId } from '../../../src/kernel/principal.js';
import type { SeenVerdict } from '../../../src/modules/verification/outcomes/domain/stored-statistics.js';
import { TeamStatisticsRepository } from '../../../src/modules/verification/outcomes/domain/team-statistics.repository.js';
import { TeamStatisticsService } from '../../../src/modules/verification/outcomes/team-statistics.service.js';
import { LearningService } from '../../../src/modules/verification/outcomes/learning.service.js';
import {
  emptyReceipt,
  OutcomesService,
} from '../../../src/modules/verification/outcomes/outcomes.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';

const HOUR_MS = 3_600_000;

/** What is learned from verdicts and outcomes in PostgreSQL. */
describe('the outcomes of a team', () => {
  let app: TestApp;
  let team: TeamId;
  let seen: Date;
  let sent: Date;
  beforeAll(async () => {
    app = await anApp();
  });
  beforeEach(async () => {
    team = (await app.anAccount()).team.id;
    sent = new Date(app.clock.now().getTime() - HOUR_MS);
    seen = new Date(sent.getTime() - HOUR_MS);
  });
  afterAll(() => app.stop());

  const get = <T>(type: abstract new (...args: never[]) => T) => app.service.app.get<T>(type);
  const accepted = (
    name: number,
    domain: string,
    host: string,
    provider: string | null = null,
  ): SeenVerdict => ({
    key: `person${name}@${domain}`,
    domain,
    host,
    provider,
    verifiedAt: seen,
    reason: 'accepted_email',
    reasonOfFacts: 'accepted_email',
    isAccepted: true,
    isNew: true,
    estimate: null,
  });
  const verify = (count: number, domain: string, host: string, provider: string | null = null) => {
    const verdicts = Array.from({ length: count }, (_, n) => accepted(n, domain, host, provider));
    return get(TeamStatisticsRepository).addVerdicts(team, verdicts);
  };
  const report = async (outcome: OutcomeReport['outcome'], count: number, domain: string, from = 0) => {
    const reports = Array.from({ length: count }, (_, n): OutcomeReport => {
      const reply = outcome === 'bounced' ? '550 5.1.1 User unknown' : null;
      return { email: `person${from + n}@${domain}`, outcome, at: sent, reply };
    });
    await get(OutcomesService).record(team, emptyReceipt(), reports);
  };
  const learned = async () => {
    while ((await get(LearningService).learnDue()) > 0);
    app.clock.advance(5_000);
    return get(TeamStatisticsRepository).getCached(team);
  };
  /** From then on, verdicts are stored. */
  const begin = () => report('delivered', 1, 'elsewhere.example');
  const isReturned = async (domain: string, host: string) =>
    (await get(TeamStatisticsService).of(team)).returnsAccepted([{ host, preference: 10 }], domain);

  it('accuse one customer of a provider, and not the others', async () => {
    await begin();
    for (const domain of ['bad.example', 'good.example']) await verify(10, domain, 'google.com', 'google');
    await report('bounced', 4, 'bad.example');
    await report('delivered', 10, 'good.example');
    expect((await learned()).returning).toEqual(['@bad.example']);
    const host = 'aspmx.l.google.com';
    expect(await isReturned('bad.example', host)).toBe(true);
    expect(await isReturned('good.example', host)).toBe(false);
    expect(await isReturned('gmail.com', host)).toBe(false);
  });

  it('of the consumer domains of a provider count together', async () => {
    await begin();
    await verify(25, 'gmail.com', 'google.com', 'google');
    await verify(10, 'googlemail.com', 'google.com', 'google');
    await report('bounced', 3, 'googlemail.com');
    expect((await learned()).returning).toEqual([]);
    await report('bounced', 1, 'gmail.com');
    expect((await learned()).returning).toEqual(['google consumer']);
  });

  it('accuse a host with two domains, and a domain of one with three', async () => {
    await begin();
    await verify(5, 'a.example', 'host.example');
    await verify(5, 'b.example', 'host.example');
    await report('bounced', 3, 'a.example');
    expect((await learned()).returning).toEqual(['host.example']);
    const host = 'mx.host.example';
    expect(await isReturned('b.example', host)).toBe(true);
    expect(await isReturned('c.example', host)).toBe(false);
    // Verified only, without an outcome.
    await verify(1, 'c.example', 'host.example');
    await report('bounced', 1, 'a.example', 3);
    expect((await learned()).returning).toEqual(['@a.example']);
    expect(await isReturned('a.example', host)).toBe(true);
    expect(await isReturned('b.example', host)).toBe(false);
  });

  it('of a host are compared with the accepted addresses of all its domains', async () => {
    await begin();
    await verify(5, 'a.example', 'host.example');
    await verify(40, 'b.example', 'host.example');
    await report('bounced', 3, 'a.example');
    expect((await learned()).returning).toEqual([]);
  });

  it('belong to the verdict before them, also when it is stored later, by another process', async () => {
    await begin();
    await report('delivered', 2, 'late.example');
    await report('bounced', 1, 'late.example', 2);
    await verify(3, 'late.example', 'late.example');
    const sql = 'SELECT reason, facts_reason, host FROM outcomes WHERE team_id = $1 AND domain = $2';
    const rows = await get(DataSource).query<unknown[]>(sql, [team, 'late.example']);
    const verdict = { reason: 'accepted_email', facts_reason: 'accepted_email', host: 'late.example' };
    expect(rows).toEqual([verdict, verdict, verdict]);
    expect((await learned()).learned?.domains).toMatchObject({
      'accepted_email late.example late.example': [3, 2],
    });
  });

  it('never belong to a verdict that was given after them, or because of them', async () => {
    await begin();
    await report('bounced', 1, 'late.example');
    const after = new Date(sent.getTime() + 1_000);
    const bounced = { reason: 'bounced', reasonOfFacts: 'bounced', isAccepted: false } as const;
    const verdict = accepted(0, 'late.example', 'late.example');
    await get(TeamStatisticsRepository).addVerdicts(team, [{ ...verdict, verifiedAt: after }]);
    await get(TeamStatisticsRepository).addVerdicts(team, [{ ...verdict, ...bounced, verifiedAt: sent }]);
    const sql = `SELECT reason FROM outcomes WHERE team_id = $1 AND domain = 'late.example'`;
    expect(await get(DataSource).query<unknown[]>(sql, [team])).toEqual([{ reason: null }]);
  });

  it('accepted addresses are counted before the team reports, and their verdicts are not stored', async () => {
    const domains = ['a.example', 'b.example', 'a.example'];
    for (const domain of domains) await verify(4, domain, domain);
    const sql = 'SELECT addresses FROM outcome_accepted WHERE team_id = $1 ORDER BY 1';
    expect(await get(DataSource).query<unknown[]>(sql, [team])).toEqual([{ addresses: 4 }, { addresses: 8 }]);
    const verdicts = 'SELECT FROM outcome_verdicts WHERE team_id = $1';
    expect(await get(DataSource).query<unknown[]>(verdicts, [team])).toEqual([]);
  });

  it('accepted addresses are counted exactly by concurrent processes', async () => {
    await begin();
    const domains = Array.from({ length: 40 }, (_, n) => `d${n}.example`);
    const verdicts = domains.map((domain, n) => accepted(n, domain, domain));
    const both = [verdicts, verdicts.toReversed()];
    await Promise.all(
      [...both, ...both].map((batch) => get(TeamStatisticsRepository).addVerdicts(team, batch)),
    );
    const sql =
      'SELECT count(*)::integer AS n, sum(addresses)::integer AS sum FROM outcome_accepted WHERE team_id = $1';
    expect(await get(DataSource).query<unknown[]>(sql, [team])).toEqual([{ n: 40, sum: 160 }]);
  });
});
