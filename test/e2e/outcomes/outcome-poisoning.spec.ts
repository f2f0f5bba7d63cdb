import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { AccuracyResponse } from '../../../src/modules/verification/outcomes/outcomes.dto.js';
import { TeamStatisticsRepository } from '../../../src/modules/verification/outcomes/domain/team-statistics.repository.js';
import { LearningService } from '../../../src/modules/verification/outcomes/learning.service.js';
import { TeamStatisticsService } from '../../../src/modules/verification/outcomes/team-statistics.service.js';
import type { OutcomeReport } from '../../../src/kernel/outcome-report.js';
import {
  emptyReceipt,
  OutcomesService,
} from '../../../src/modules/verification/outcomes/outcomes.service.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { MailWorld } from '../../support/mail/mail-world.js';

const DOMAIN = 'people.mailworld';
/** Also run with 1,000,000. */
const LIES = Number(process.env.LIES ?? 20_000);
const AT_ONCE = 5_000;
const DAY_MS = 86_400_000;

describe('one hostile team that reports any number of false outcomes', () => {
  let world: MailWorld;
  let app: TestApp;
  let hostile: NewAccount;
  let victim: NewAccount;
  let silent: NewAccount;

  beforeAll(async () => {
    world = await MailWorld.start();
    app = await anApp(world.env);
    [hostile, victim, silent] = [await app.anAccount(), await app.anAccount(), await app.anAccount()];
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const get = <T>(type: abstract new (...args: never[]) => T) => app.service.app.get<T>(type);
  const verify = async (email: string, { liveKey }: NewAccount): Promise<VerdictResponse> => {
    const answer = await app.get(`/v1/verify?email=${email}`, liveKey);
    expect(answer.status).toBe(200);
    return answer.body as VerdictResponse;
  };
  const person = (n: number) => `person${n}@${DOMAIN}`;
  const report = (email: string, outcome: 'bounced' | 'delivered', at: Date): OutcomeReport => ({
    email,
    outcome,
    at,
    reply: outcome === 'bounced' ? '550 5.1.1 User unknown' : null,
  });
  const tell = async (team: NewAccount, reports: readonly OutcomeReport[]) => {
    const receipt = emptyReceipt();
    await get(OutcomesService).record(team.team.id, receipt, reports);
    return receipt;
  };
  const learn = async () => {
    while ((await get(LearningService).learnDue()) > 0);
    app.clock.advance(5_000);
  };

  /** What a team can see. */
  const viewOf = async (team: NewAccount) => {
    const answer = await app.get('/v1/accuracy?days=90', team.liveKey);
    const verdicts = [];
    for (const n of [0, 1, 20, 39]) {
      const { status, reason, score, estimate, outcome, policy } = await verify(person(n), team);
      verdicts.push({ status, reason, score, estimate, outcome, policy });
    }
    await get(TeamStatisticsService).flush();
    return { verdicts, accuracy: answer.body as AccuracyResponse };
  };

  /** Verdicts of addresses that its server accepted, and bounces of all of them. */
  const lie = async () => {
    const at = new Date(app.clock.now().getTime() - 1_000);
    const emailOf = (n: number) => (n < 40 ? person(n) : `lie${n}@${DOMAIN}`);
    await tell(hostile, [report('first@elsewhere.mailworld', 'delivered', at)]);
    for (let from = 0; from < LIES; from += AT_ONCE) {
      const emails = Array.from({ length: AT_ONCE }, (_, n) => emailOf(from + n));
      const seen = emails.map((key) => ({
        key,
        verifiedAt: new Date(at.getTime() - DAY_MS),
        reason: 'accepted_email' as const,
        reasonOfFacts: 'accepted_email' as const,
        domain: DOMAIN,
        host: DOMAIN,
        provider: null,
        isAccepted: true,
        isNew: true,
        estimate: 1,
      }));
      await get(TeamStatisticsRepository).addVerdicts(hostile.team.id, seen);
      const { stored } = await tell(
        hostile,
        emails.map((email) => report(email, 'bounced', at)),
      );
      expect(stored).toBe(AT_ONCE);
    }
  };

  it('changes verdicts, estimates and accuracy of its own, and nothing of other teams', async () => {
    const at = new Date(app.clock.now().getTime() - 1_000);
    await tell(victim, [report('first@elsewhere.mailworld', 'delivered', at)]);
    for (let n = 0; n < 6; n += 1) await verify(person(n), victim);
    await get(TeamStatisticsService).flush();
    const later = new Date(app.clock.now().getTime());
    await tell(
      victim,
      [0, 2, 3, 4, 5].map((n) => report(person(n), 'delivered', later)),
    );
    await learn();
    await viewOf(victim);
    await learn();
    const before = [await viewOf(victim), await viewOf(silent)];
    expect(before[0]).toMatchObject({
      verdicts: [
        { reason: 'accepted_email', estimate: { basis: 'address' } },
        {},
        { estimate: { outcomes: 5 } },
        {},
      ],
      accuracy: { data: [{ reason: 'accepted_email', delivered: 5, bounced: 0 }] },
    });

    await lie();
    await learn();

    expect(await verify(person(0), hostile)).toMatchObject({ reason: 'bounced' });
    expect(await verify('new-person@people.mailworld', hostile)).not.toMatchObject({ status: 'deliverable' });
    const { accuracy } = await viewOf(hostile);
    expect(accuracy.data).toEqual(
      expect.arrayContaining([expect.objectContaining({ reason: 'accepted_email', bounced: LIES })]),
    );
    expect([await viewOf(victim), await viewOf(silent)]).toEqual(before);
    const { returning } = await get(TeamStatisticsRepository).getCached(silent.team.id);
    expect(returning).toEqual([]);
    expect(await teamsThatAccuse()).toEqual([hostile.team.id]);
  }, 300_000);

  const teamsThatAccuse = async () => {
    const rows = await get(DataSource).query<{ team_id: string }[]>(
      'SELECT team_id FROM outcome_hosts WHERE host = $1',
      [DOMAIN],
    );
    return rows.map((row) => row.team_id);
  };
});
