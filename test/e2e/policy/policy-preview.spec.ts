import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { PolicyPreviewResponse } from '../../../src/modules/lists/policy-preview/policy-preview.dto.js';
import { SecretKeys } from '../../../src/platform/secrets/secret-keys.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { rowsOf, joinTeam } from '../../support/app/joins.js';
import { plain } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { expectProblem } from '../../support/http/problems.js';
import { setPolicy } from '../../support/policy/policy-of.js';

const PATH = '/v1/policy/preview';
const DAY = 86_400_000;

let world: MailWorld;
let app: TestApp;
let answers: ResponseValidator;
let account: NewAccount;

beforeAll(async () => {
  world = await MailWorld.start({
    scenes: [{ domain: 'plain.mailworld', story: '', servers: [plain], expect: {} }],
  });
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

const preview = async (rules: readonly object[], more: object = {}, key = account.liveKey) => {
  const answer = await app.post(PATH, key).send({ rules, ...more });
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  answers.expect('POST', PATH, answer);
  return answer.body as PolicyPreviewResponse;
};
const list = async (emails: readonly string[], key = account.liveKey) => {
  await aBulkJob(app, key, emails);
  await workOn(app);
};
const REJECT = { id: 'plain', when: { domain: 'plain.mailworld' }, decision: 'reject' };
const EMAILS = ['jane@plain.mailworld', 'JANE@plain.mailworld', 'ghost@plain.mailworld', 'no address'];

describe('a preview', () => {
  it('says what rules would change, and stores nothing', async () => {
    await list(EMAILS);
    expect(await preview([REJECT])).toEqual({
      verdicts: 3,
      changed: 1,
      by_decision: { accept: 0, review: 0, reject: 3 },
      by_decision_before: { accept: 1, review: 0, reject: 2 },
      changes: [{ before: 'accept', after: 'reject', count: 1 }],
      complete: true,
      examples: [
        {
          reason: 'accepted_email',
          domain: 'plain.mailworld',
          before: 'accept',
          after: 'reject',
          rule: 'team:plain',
          job_id: expect.stringMatching(/^job_/),
          count: 1,
        },
      ],
    });
    expect((await app.get('/v1/policy', account.liveKey)).body).toMatchObject({ rules: [] });
  });

  it('compares with the rules of now, for members too, and contains no address', async () => {
    await list(EMAILS);
    await setPolicy(app, account.liveKey, [REJECT]);
    expect(await preview([REJECT])).toMatchObject({ changed: 0, examples: [] });
    const { key } = await joinTeam(app, account);
    const without = await preview([], {}, key);
    expect(without).toMatchObject({
      changed: 1,
      examples: [{ before: 'reject', after: 'accept', rule: null }],
    });
    expect(JSON.stringify(without)).not.toMatch(/@|jane/i);
  });

  it('reads neither test lists nor those of other teams', async () => {
    await list(EMAILS, account.testKey);
    await list(EMAILS, (await app.anAccount()).liveKey);
    expect(await preview([REJECT])).toMatchObject({ verdicts: 0, changed: 0, complete: true });
    const refused = await app.post(PATH, account.testKey).send({ rules: [] });
    expectProblem(refused, 403, 'live_key_required');
  });

  it('has at most 20 examples, of different changes', async () => {
    await list(Array.from({ length: 60 }, (_, n) => `jane@d${n % 30}.invalid`));
    const { verdicts, changed, examples } = await preview([{ when: {}, decision: 'review' }]);
    expect([verdicts, changed, examples.length]).toEqual([30, 30, 20]);
    expect(new Set(examples.map(({ domain }) => domain)).size).toBe(20);
  });

  it('is refused while the team has three under way', async () => {
    await list(EMAILS);
    const sent = Array.from({ length: 8 }, () => app.post(PATH, account.liveKey).send({ rules: [REJECT] }));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(3);
    expect(statuses.filter((status) => ![200, 429].includes(status))).toEqual([]);
  });

  it('stops after 100,000 verdicts, and says so', async () => {
    await list(EMAILS);
    await rowsOf(
      app,
      `INSERT INTO bulk_results (address_key, reason, probed, verdict)
       SELECT int8send(list) || decode(lpad(to_hex(n), 72, '0'), 'hex'), 'accepted_email', false,
              '{"email": "jane@example.com", "verifiedAt": "2026-11-21T12:00:00Z"}'
         FROM bulk_jobs, generate_series(1, 100001) AS n WHERE team_id = $1`,
      [account.team.id],
    );
    const { verdicts, complete } = await preview([{ when: { domain: 'example.com' }, decision: 'reject' }]);
    expect(complete).toBe(false);
    expect(verdicts).toBeGreaterThan(0);
    expect(verdicts).toBeLessThanOrEqual(100_000);
  });

  it('reads the newest 1,000 lists, and says that there are more', async () => {
    await list(EMAILS);
    const copies = (count: number) =>
      rowsOf(
        app,
        `INSERT INTO bulk_jobs OVERRIDING SYSTEM VALUE
         SELECT (jsonb_populate_record(j, jsonb_build_object('id', j.id || n, 'list', -n - j.list * 1000))).*
           FROM bulk_jobs j, generate_series(1, $2) AS n WHERE j.team_id = $1 AND j.list > 0`,
        [account.team.id, count],
      );
    await copies(999);
    expect(await preview([REJECT])).toMatchObject({ complete: true });
    await rowsOf(app, 'DELETE FROM bulk_jobs WHERE team_id = $1 AND list < 0', [account.team.id]);
    await copies(1_000);
    expect(await preview([REJECT])).toMatchObject({ complete: false });
  });

  it('reads the newest 1,000 verdicts of single checks, and says that there are more', async () => {
    const verdict = JSON.stringify({
      ...{
        email: 'jane@plain.mailworld',
        normalizedEmail: 'jane@plain.mailworld',
        domain: 'plain.mailworld',
      },
      ...{ status: 'unknown', reason: 'greylisted', checks: {}, dns: { mx: [], provider: null } },
      ...{ outcome: null, estimate: null, policy: { decision: 'review', rule: null } },
      verifiedAt: app.clock.now(),
    });
    const sealed = new SecretKeys([app.shared.SECRET_KEY]).encrypt(verdict);
    const store = (from: number, to: number) =>
      rowsOf(
        app,
        `INSERT INTO rechecks (id, team_id, address_hash, verdict, reason, first_requested_at, erase_at)
         SELECT 'chk_' || $1 || n, $1, int8send(n), $2, 'greylisted', now(), 'infinity' FROM generate_series($3::int, $4::int) AS n`,
        [account.team.id, sealed, from, to],
      );
    await store(1, 1_000);
    expect(await preview([REJECT])).toMatchObject({ verdicts: 1_000, changed: 1_000, complete: true });
    await store(1_001, 1_001);
    expect(await preview([REJECT])).toMatchObject({ verdicts: 1_000, complete: false });
  });

  /** Last: it advances the clock. */
  it('reads the lists of the last seven days, or of up to thirty', async () => {
    await list(EMAILS);
    app.clock.advance(8 * DAY);
    await list(['other@plain.mailworld']);
    expect((await preview([REJECT])).verdicts).toBe(1);
    expect((await preview([REJECT], { days: 9 })).verdicts).toBe(4);
    for (const days of [0, 31, 1.5])
      expectProblem(await app.post(PATH, account.liveKey).send({ rules: [], days }), 400, 'invalid_request');
  });
});
