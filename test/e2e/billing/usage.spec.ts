import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { Principal } from '../../../src/kernel/principal.js';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type {
  DailyUsageResponse,
  UsageTodayResponse,
} from '../../../src/modules/identity/usage/usage.dto.js';
import { UsageService, type ChargeableVerdict } from '../../../src/modules/identity/usage/usage.service.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { rowsOf } from '../../support/app/joins.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';
import { aCaller, FREE, PAID } from '../../support/usage/usage-parts.js';

const BULK: ChargeableVerdict = { kind: 'bulk', status: 'undeliverable', free: false };

describe('usage', () => {
  let app: TestApp;
  let answers: ResponseValidator;
  let usage: UsageService;
  let account: NewAccount;

  beforeAll(async () => {
    app = await anApp();
    answers = await ResponseValidator.published(app);
    usage = app.service.app.get(UsageService);
  });
  beforeEach(async () => {
    account = await app.anAccount('growth');
  });
  afterAll(() => app.stop());

  const callerOf = ({ team, user }: NewAccount, more: Partial<Principal> = {}) =>
    aCaller(team.tier, { teamId: team.id, userId: user.id, ...more });
  const answer = (caller: Principal, ...answered: ChargeableVerdict[]) => usage.charge(caller, answered);
  const read = async <Body>(path: string, key = account.liveKey): Promise<Body> => {
    const response = await app.get(path, key);
    expect([path, response.status]).toEqual([path, 200]);
    answers.expect('GET', path.split('?')[0] ?? path, response);
    return response.body as Body;
  };
  const today = (key?: string) => read<UsageTodayResponse>('/v1/usage', key);
  const history = async (path: string, key?: string) => (await read<DailyUsageResponse>(path, key)).data;

  describe('GET /v1/usage', () => {
    it('shows a new team its quota of today', async () => {
      const body = await today();
      const midnight = new Date(`${body.date}T00:00:00Z`);
      midnight.setUTCDate(midnight.getUTCDate() + 1);
      expect(body).toEqual({
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        tier: 'growth',
        quota: {
          limit: 10_000,
          used: 0,
          reserved: 0,
          remaining: 10_000,
          resets_at: midnight.toISOString(),
        },
        single: 0,
        bulk: 0,
        total: 0,
        free: 0,
        by_status: { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 },
        keys: [],
      });
    });

    it('counts answered addresses, and the free ones among them', async () => {
      const caller = callerOf(account);
      await answer(caller, PAID);
      await answer(caller, FREE);
      const job = await usage.reserve(caller, 5);
      await usage.chargeReserved({ ...job, units: 2 }, [BULK, BULK, { ...BULK, free: true }]);
      expect(await today()).toMatchObject({
        quota: { used: 3, reserved: 3, remaining: 9_994 },
        single: 2,
        bulk: 3,
        total: 5,
        free: 2,
        by_status: { deliverable: 1, undeliverable: 3, risky: 0, unknown: 1 },
      });
    });

    it('has neither limit nor remaining units for a team without a quota', async () => {
      const unlimited = await app.anAccount('unlimited');
      await answer(callerOf(unlimited), PAID);
      expect(await today(unlimited.liveKey)).toMatchObject({
        tier: 'unlimited',
        quota: { limit: null, used: 1, reserved: 0, remaining: null },
        total: 1,
      });
    });

    it('shows the team’s usage to a test key, without usage of test keys', async () => {
      await answer(callerOf(account), PAID);
      await answer(callerOf(account, { mode: 'test' }), PAID);
      await app.get('/v1/verify?email=jane@example.com', account.testKey);
      const body = await today(account.testKey);
      expect([body.quota.used, body.total]).toEqual([1, 1]);
    });

    it('shows only the own team’s usage', async () => {
      await answer(callerOf(account), PAID);
      const other = await app.anAccount('growth');
      expect(await today(other.liveKey)).toMatchObject({ total: 0, quota: { used: 0, reserved: 0 } });
    });

    it('accepts no parameters', async () => {
      const problem = expectProblem(
        await app.get('/v1/usage?days=3', account.liveKey),
        400,
        'invalid_request',
      );
      expect(fieldErrorsOf(problem)).toEqual(['/days unknown_member']);
    });
  });

  describe.each(['/v1/usage/history', '/v1/team/history'])('GET %s', (path) => {
    it('has a row for every requested day, newest first, 30 by default', async () => {
      await answer(callerOf(account), PAID);
      const days = await history(path);
      expect(days).toHaveLength(30);
      const dates = days.map(({ date }) => date);
      expect(dates).toEqual([...dates].sort().reverse());
      expect(new Set(dates).size).toBe(30);
      expect(days[0]).toMatchObject({ single: 1, bulk: 0, total: 1, free: 0, by_status: { deliverable: 1 } });
      expect(days.slice(1).every(({ total, by_status }) => total === 0 && by_status.unknown === 0)).toBe(
        true,
      );
      expect(await history(`${path}?days=1`)).toHaveLength(1);
      expect(await history(`${path}?days=365`)).toHaveLength(365);
    });

    it.each(['days=0', 'days=366', 'days=-1', 'days=1.5', 'days=', 'days=ten', 'days=1&days=2'])(
      'refuses %s',
      async (query) => {
        const response = await app.get(`${path}?${query}`, account.liveKey);
        const { errors } = expectProblem(response, 400, 'invalid_request');
        expect(errors).toMatchObject([{ pointer: '/days' }]);
        answers.expect('GET', path, response);
      },
    );

    it('refuses an unknown parameter, and a missing key', async () => {
      expectProblem(await app.get(`${path}?day=3`, account.liveKey), 400, 'invalid_request');
      expectProblem(await app.get(path), 401, 'missing_credential');
    });
  });

  it('separates the account’s usage from the team’s', async () => {
    await answer(callerOf(account), PAID);
    await answer(callerOf(account, { userId: 'usr_colleague' }), PAID, PAID);
    await answer(callerOf(account, { userId: null, keyId: 'key_service' }), FREE);
    expect((await history('/v1/usage/history?days=1'))[0]).toMatchObject({ total: 1, free: 0 });
    expect((await history('/v1/team/history?days=1'))[0]).toMatchObject({ total: 4, free: 1 });
  });

  it('keeps the totals of a deleted team', async () => {
    await answer(callerOf(account), PAID);
    const dataSource = app.service.app.get(DataSource);
    await dataSource.query('DELETE FROM teams WHERE id = $1', [account.team.id]);
    expect((await usage.teamHistory(account.team.id, 1))[0]).toMatchObject({ single: 1 });
  });

  it('has every answered call in the database', async () => {
    await app.get('/v1/verify?email=no-address', account.liveKey);
    await app.get('/v1/verify?email=jane@nowhere.rcpt-test.net', account.liveKey);
    const days = 'SELECT used, reserved FROM quota_days WHERE team_id = $1';
    expect(await rowsOf(app, days, [account.team.id])).toEqual([{ used: 1, reserved: 0 }]);
    const counts = 'SELECT single, free FROM usage_days WHERE team_id = $1';
    expect(await rowsOf(app, counts, [account.team.id])).toEqual([{ single: 2, free: 1 }]);
  });

  it('fails a call that cannot be counted, and charges nothing for it', async () => {
    await rowsOf(app, 'ALTER TABLE usage_days RENAME TO usage_days_away');
    const failed = await app.get('/v1/verify?email=no-address', account.liveKey);
    await rowsOf(app, 'ALTER TABLE usage_days_away RENAME TO usage_days');
    expectProblem(failed, 500, 'internal_error');
    expect(await today()).toMatchObject({ total: 0, quota: { used: 0, reserved: 0 } });
  });
});
