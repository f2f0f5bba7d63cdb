import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { ApiKeysService } from '../../../src/modules/identity/api-keys/api-keys.service.js';
import type {
  BlocklistEntryResponse,
  BlocklistPage,
} from '../../../src/modules/verification/blocklist/blocklist.dto.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

const PATH = '/v1/blocklist';

let world: MailWorld;
let app: TestApp;
let answers: ResponseValidator;
let account: NewAccount;

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

const sql = (statement: string, parameters: unknown[] = []) =>
  app.service.app.get(DataSource).query<Record<string, unknown>[]>(statement, parameters);

const add = (body: object, key = account.liveKey) => app.post(PATH, key).send(body);

async function block(domain: string, key = account.liveKey, on = app): Promise<BlocklistEntryResponse> {
  const answer = await on.post(PATH, key).send({ domain });
  expect([answer.status, answer.body]).toEqual([201, answer.body]);
  answers.expect('POST', PATH, answer);
  return answer.body as BlocklistEntryResponse;
}

async function unblock(domain: string, key = account.liveKey): Promise<void> {
  const answer = await app.delete(`${PATH}/${encodeURIComponent(domain)}`, key);
  expect([answer.status, answer.text]).toEqual([204, '']);
}

async function page(query = '', key = account.liveKey): Promise<BlocklistPage> {
  const answer = await app.get(`${PATH}${query}`, key);
  expect(answer.status).toBe(200);
  answers.expect('GET', PATH, answer);
  return answer.body as BlocklistPage;
}

const domains = async (key?: string) => (await page('', key)).data.map(({ domain }) => domain);

describe('an entry', () => {
  it('has its user, domain, date and reason', async () => {
    const answer = await add({ domain: 'Rival.Example', reason: 'a competitor' });
    answers.expect('POST', PATH, answer);
    const { created_at, ...entry } = answer.body as BlocklistEntryResponse;
    expect([answer.status, entry]).toEqual([
      201,
      { domain: 'rival.example', reason: 'a competitor', created_by: account.user.id },
    ]);
    expect(Date.parse(created_at)).toBeLessThanOrEqual(app.clock.now().getTime());
    expect((await page()).data).toEqual([answer.body]);
  });

  it('has no user when a service key created it, and null without a reason', async () => {
    const service = { teamId: account.team.id, userId: null, name: 'service', mode: 'live' as const };
    const { secret } = await app.service.app.get(ApiKeysService, { strict: false }).issue(service);
    expect(await block('a.example', secret)).toMatchObject({ created_by: null, reason: null });
    expect((await add({ domain: 'b.example', reason: null })).body).toMatchObject({ reason: null });
  });

  it('is the same for every spelling of its domain', async () => {
    expect((await block('BÜCHER.example')).domain).toBe('xn--bcher-kva.example');
    for (const domain of ['bücher.example', 'xn--bcher-kva.EXAMPLE', 'bücher。example']) {
      expectProblem(await add({ domain }), 409, 'already_blocked');
    }
    await unblock('Bücher.example');
    expect(await domains()).toEqual([]);
  });

  it('may be a subdomain of another, and is removed separately', async () => {
    for (const domain of ['corp.example', 'mail.corp.example', 'example']) await block(domain);
    await unblock('corp.example');
    expect(await domains()).toEqual(['example', 'mail.corp.example']);
  });

  it('is created once under concurrent requests', async () => {
    const asked = await Promise.all(Array.from({ length: 8 }, () => add({ domain: 'corp.example' })));
    expect(asked.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(await domains()).toEqual(['corp.example']);
  });

  it('is deleted by DELETE, which succeeds again', async () => {
    await block('corp.example');
    for (let time = 0; time < 2; time++) await unblock('corp.example');
    expect(await domains()).toEqual([]);
  });

  it('is audited when added and removed, without the reason', async () => {
    await add({ domain: 'corp.example', reason: 'jane@corp.example complained' });
    await unblock('corp.example');
    await unblock('corp.example');
    const trace = await sql(
      'SELECT action, details, actor_user_id FROM audit_log WHERE team_id = $1 ORDER BY seq',
      [account.team.id],
    );
    const act = { details: { domain: 'corp.example' }, actor_user_id: account.user.id };
    expect(trace.filter(({ action }) => String(action).startsWith('blocklist.'))).toEqual([
      { action: 'blocklist.added', ...act },
      { action: 'blocklist.removed', ...act },
    ]);
  });
});

describe('a refused request', () => {
  const NO_DOMAINS = `-corp.example *.corp.example @corp.example jane@corp.example https://corp.example
    corp.example. corp..example corp\u0000.example xn--a.example 192.0.2.1 [192.0.2.1]`.split(/\s+/);

  it.each(NO_DOMAINS)('%j is no domain: 400 with a sentence', async (domain) => {
    const remove = app.delete(`${PATH}/${encodeURIComponent(domain)}`, account.liveKey);
    for (const answer of [await add({ domain }), await remove]) {
      const problem = expectProblem(answer, 400, 'invalid_request');
      expect(fieldErrorsOf(problem)).toEqual(['/domain invalid_format']);
      expect(problem.errors?.[0]?.message).toMatch(/^[A-Z].+\.$/);
    }
  });

  it.each<[complaint: string, body: object | undefined]>([
    ['/domain invalid_type', {}],
    ['/domain invalid_type', { domain: 7 }],
    ['/domain invalid_format', { domain: '' }],
    ['/domain invalid_format', { domain: `${'a.'.repeat(127)}com` }],
    ['/domain too_big', { domain: 'a'.repeat(1_001) }],
    ['/reason too_big', { domain: 'a.example', reason: 'x'.repeat(201) }],
    ['/reason invalid_format', { domain: 'a.example', reason: 'a\u0000b' }],
    ['/reason invalid_type', { domain: 'a.example', reason: 7 }],
    ['/team_id unknown_member', { domain: 'a.example', team_id: 'team_1' }],
    [' invalid_type', undefined],
  ])('is 400 with pointer and code: %s', async (complaint, body) => {
    const problem = expectProblem(await app.post(PATH, account.liveKey).send(body), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual([complaint]);
  });

  it('requires a key, and a live one to write; test keys may read', async () => {
    await block('corp.example');
    expect(await domains(account.testKey)).toEqual(['corp.example']);
    expectProblem(await add({ domain: 'b.example' }, account.testKey), 403, 'live_key_required');
    expectProblem(await app.delete(`${PATH}/corp.example`, account.testKey), 403, 'live_key_required');
    expectProblem(await app.get(PATH), 401, 'missing_credential');
    expect(await domains()).toEqual(['corp.example']);
  });

  it('fails when the list would exceed 10,000 entries', async () => {
    await sql(
      `INSERT INTO blocklist_entries (id, team_id, domain, created_at)
       SELECT 'blk_' || $1 || n, $1, n || '.example', now() FROM generate_series(1, 10000) AS n`,
      [account.team.id],
    );
    const problem = expectProblem(await add({ domain: 'corp.example' }), 409, 'limit_reached');
    expect(problem).toMatchObject({ what: 'blocklist_entries', limit: 10_000 });
    expectProblem(await add({ domain: '1.example' }), 409, 'already_blocked');
    await unblock('1.example');
    await block('corp.example');
  });
});

describe('pagination', () => {
  it('returns every entry once, newest first, and those of one time', async () => {
    const blocked = ['e.example', 'd.example', 'c.example', 'b.example', 'a.example'];
    for (const domain of [...blocked].reverse()) await block(domain);
    app.clock.stop();
    for (const domain of ['x.example', 'y.example', 'z.example']) await block(domain);
    app.clock.resume();
    const seen: string[] = [];
    for (let query = '?limit=2'; query !== '';) {
      const { data, has_more, next_cursor } = await page(query);
      expect([data.length <= 2, has_more]).toEqual([true, next_cursor !== null]);
      seen.push(...data.map(({ domain }) => domain));
      query = next_cursor === null ? '' : `?limit=2&cursor=${next_cursor}`;
    }
    expect(seen.slice(0, 3).sort()).toEqual(['x.example', 'y.example', 'z.example']);
    expect(seen.slice(3)).toEqual(blocked);
  });

  it('refuses a modified cursor, and one of another team or list', async () => {
    for (const domain of ['a.example', 'b.example']) await block(domain);
    const { next_cursor: cursor } = await page('?limit=1');
    const other = await app.anAccount();
    const refused = [
      app.get(`${PATH}?limit=1&cursor=${cursor?.slice(0, -2)}AA`, account.liveKey),
      app.get(`${PATH}?cursor=nonsense`, account.liveKey),
      app.get(`${PATH}?limit=1&cursor=${cursor}`, other.liveKey),
      app.get(`/v1/admin/disposable?limit=1&cursor=${cursor}`, account.liveKey),
    ];
    for (const answer of refused) expectProblem(await answer, 400, 'invalid_cursor');
  });

  it('is separate per team: another team sees and removes nothing', async () => {
    await block('corp.example');
    const other = await app.anAccount();
    expect(await domains(other.liveKey)).toEqual([]);
    await unblock('corp.example', other.liveKey);
    expect(await domains()).toEqual(['corp.example']);
  });
});

describe('a verdict about a blocked domain', () => {
  const verify = async (email: string, key = account.liveKey, by = app): Promise<VerdictResponse> => {
    const answer = await by.get(`/v1/verify?email=${encodeURIComponent(email)}`, key);
    expect(answer.status).toBe(200);
    answers.expect('GET', '/v1/verify', answer);
    return answer.body as VerdictResponse;
  };
  const reason = async (...asked: Parameters<typeof verify>) => (await verify(...asked)).reason;

  it('names the rule and sends no query; subdomains are included, and the longest entry applies', async () => {
    await block('mailworld');
    await block('plain.mailworld');
    const server = world.server('plain.mailworld');
    const before = server.connections;
    for (const [email, pattern] of [
      ['jane@plain.mailworld', 'plain.mailworld'],
      ['jane@deep.plain.mailworld', 'plain.mailworld'],
      ['jane@unplain.mailworld', 'mailworld'],
    ] as const) {
      expect(await verify(email)).toMatchObject({
        status: 'risky',
        reason: 'blocked_domain',
        score: 20,
        smtp: null,
        dns: { mx_found: null },
        policy: { decision: 'reject', rule: `blocklist:${pattern}` },
        list_match: { list: 'blocklist', scope: 'team', pattern, source: 'team' },
        cached: false,
      });
    }
    expect(server.connections).toBe(before);
    await unblock('mailworld');
    await unblock('plain.mailworld');
    expect(await reason('jane@plain.mailworld')).toBe('accepted_email');
  });

  it('takes precedence over special use, stored facts and the sandbox', async () => {
    await verify('ghost@plain.mailworld');
    expect(await reason('jane@example.com')).toBe('invalid_domain');
    await block('example.com');
    await block('plain.mailworld');
    expect(await verify('ghost@plain.mailworld')).toMatchObject({ reason: 'blocked_domain', cached: false });
    for (const email of ['jane@example.com', 'mailbox_not_found@example.com', 'rate_limited@example.com']) {
      expect(await reason(email, account.liveKey)).toBe('blocked_domain');
      expect(await reason(email, account.testKey)).toBe('blocked_domain');
    }
    await unblock('plain.mailworld');
    expect(await verify('ghost@plain.mailworld')).toMatchObject({
      reason: 'mailbox_not_found',
      cached: true,
    });
  });

  it('is the same for both spellings of the domain', async () => {
    await block('bücher.mailworld');
    for (const email of ['jane@bücher.mailworld', 'jane@xn--bcher-kva.mailworld', 'jane@BÜCHER.mailworld'])
      expect(await reason(email)).toBe('blocked_domain');
  });

  it('does not affect other teams', async () => {
    await block('plain.mailworld');
    const other = await app.anAccount();
    expect(await reason('jane@plain.mailworld', other.liveKey)).toBe('accepted_email');
  });

  it('reaches another process within 5 seconds, and so does the removal', async () => {
    const elsewhere = await anApp({ ...world.env, ...app.shared });
    try {
      const there = () => reason('jane@plain.mailworld', account.liveKey, elsewhere);
      expect(await there()).toBe('accepted_email');
      await block('plain.mailworld');
      elsewhere.clock.advance(5_000);
      expect(await there()).toBe('blocked_domain');
      await unblock('plain.mailworld');
      elsewhere.clock.advance(5_000);
      expect(await there()).toBe('accepted_email');
    } finally {
      await elsewhere.stop();
    }
  });
});
