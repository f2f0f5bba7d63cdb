import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type {
  DisposableOverridePage,
  DisposableOverrideResponse,
} from '../../../src/modules/verification/disposable/disposable.dto.js';
import { DisposableService } from '../../../src/modules/verification/disposable/disposable.service.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const PATH = '/v1/admin/disposable';
type Word = 'disposable' | 'not_disposable';

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
const operator = () => app.service.app.get(DisposableService, { strict: false });

const add = (body: object, key = account.liveKey) => app.post(PATH, key).send(body);

async function say(domain: string, verdict: Word): Promise<DisposableOverrideResponse> {
  const answer = await add({ domain, verdict });
  expect([answer.status, answer.body]).toEqual([201, answer.body]);
  answers.expect('POST', PATH, answer);
  return answer.body as DisposableOverrideResponse;
}

async function unsay(domain: string, key = account.liveKey): Promise<void> {
  const answer = await app.delete(`${PATH}/${encodeURIComponent(domain)}`, key);
  expect([answer.status, answer.text]).toEqual([204, '']);
}

async function page(query = '', key = account.liveKey): Promise<DisposableOverridePage> {
  const answer = await app.get(`${PATH}${query}`, key);
  expect(answer.status).toBe(200);
  answers.expect('GET', PATH, answer);
  return answer.body as DisposableOverridePage;
}

async function pending(key = account.liveKey): Promise<number> {
  const answer = await app.get(`${PATH}/pending`, key);
  answers.expect('GET', `${PATH}/pending`, answer);
  return (answer.body as { pending: number }).pending;
}

async function verify(email: string, key = account.liveKey, by = app): Promise<VerdictResponse> {
  const answer = await by.get(`/v1/verify?email=${encodeURIComponent(email)}`, key);
  expect(answer.status).toBe(200);
  answers.expect('GET', '/v1/verify', answer);
  return answer.body as VerdictResponse;
}

describe('an override', () => {
  it('has its domain, verdict, user and note, and is pending for the operator', async () => {
    const answer = await add({ domain: 'Bücher.example', verdict: 'disposable', note: 'throw-away' });
    answers.expect('POST', PATH, answer);
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^dsp_[0-9a-z]{26}$/),
        domain: 'xn--bcher-kva.example',
        verdict: 'disposable',
        note: 'throw-away',
        status: 'pending',
        created_at: expect.any(String),
        created_by: account.user.id,
      },
    ]);
    expect((await page()).data).toEqual([answer.body]);
    expect(await pending()).toBe(1);
  });

  it('is unique per domain, for every spelling, also under concurrent requests', async () => {
    const body = { domain: 'bücher.example', verdict: 'disposable' };
    const asked = await Promise.all(Array.from({ length: 6 }, () => add(body)));
    expect(asked.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(5).fill(409)]);
    const opposite = { domain: 'xn--bcher-kva.example', verdict: 'not_disposable' };
    expectProblem(await add(opposite), 409, 'already_overridden');
    for (let time = 0; time < 2; time++) await unsay('BÜCHER.example');
    expect([(await page()).data, await pending()]).toEqual([[], 0]);
    await say('bücher.example', 'not_disposable');
  });

  it('is counted and listed for its own team only', async () => {
    await say('corp.example', 'disposable');
    const other = await app.anAccount();
    expect([(await page('', other.liveKey)).data, await pending(other.liveKey)]).toEqual([[], 0]);
    await unsay('corp.example', other.liveKey);
    expect(await pending()).toBe(1);
  });

  it('is audited when added and removed', async () => {
    const { id } = await say('corp.example', 'disposable');
    await unsay('corp.example');
    const trace = await sql(
      `SELECT action, target_id, details, actor_user_id FROM audit_log
        WHERE team_id = $1 AND action LIKE 'disposable.%' ORDER BY seq`,
      [account.team.id],
    );
    const details = { domain: 'corp.example', verdict: 'disposable' };
    const act = { target_id: id, details, actor_user_id: account.user.id };
    expect(trace).toEqual([
      { action: 'disposable.added', ...act },
      { action: 'disposable.removed', ...act },
    ]);
  });

  it.each([
    ['/verdict invalid_value', { domain: 'a.example' }],
    ['/verdict invalid_value', { domain: 'a.example', verdict: 'maybe' }],
    ['/domain invalid_type', { verdict: 'disposable' }],
    ['/domain invalid_format', { domain: 'a@b.example', verdict: 'disposable' }],
    ['/note too_big', { domain: 'a.example', verdict: 'disposable', note: 'x'.repeat(201) }],
    ['/note invalid_format', { domain: 'a.example', verdict: 'disposable', note: 'a\nb' }],
    ['/status unknown_member', { domain: 'a.example', verdict: 'disposable', status: 'merged' }],
  ])('with invalid input is 400 with pointer and code: %s', async (complaint, body) => {
    expect(fieldErrorsOf(expectProblem(await add(body), 400, 'invalid_request'))).toEqual([complaint]);
  });

  it('requires the owner, and a live key to write', async () => {
    const body = { domain: 'a.example', verdict: 'disposable' };
    await say('corp.example', 'disposable');
    expect((await page('', account.testKey)).data).toHaveLength(1);
    expect(await pending(account.testKey)).toBe(1);
    expectProblem(await add(body, account.testKey), 403, 'live_key_required');
    expectProblem(await app.delete(`${PATH}/corp.example`, account.testKey), 403, 'live_key_required');
    for (const role of ['admin', 'member']) {
      await sql('UPDATE members SET role = $2 WHERE user_id = $1', [account.user.id, role]);
      app.clock.advance(5_000);
      for (const asked of [
        app.get(PATH, account.liveKey),
        app.get(`${PATH}/pending`, account.liveKey),
        add(body),
        app.delete(`${PATH}/corp.example`, account.liveKey),
      ]) {
        expect(expectProblem(await asked, 403, 'role_required')).toMatchObject({ required_role: 'owner' });
      }
    }
    expectProblem(await app.get(`${PATH}/pending`), 401, 'missing_credential');
  });

  it('fits on one page, and a cursor is valid for this list of this team only', async () => {
    for (const domain of ['a.example', 'b.example', 'c.example']) await say(domain, 'disposable');
    const first = await page('?limit=2');
    const rest = await page(`?limit=2&cursor=${first.next_cursor}`);
    expect([...first.data, ...rest.data].map(({ domain }) => domain)).toEqual([
      'c.example',
      'b.example',
      'a.example',
    ]);
    expect([first.has_more, rest.has_more, rest.next_cursor]).toEqual([true, false, null]);
    const other = await app.anAccount();
    for (const [path, key] of [
      [`${PATH}?cursor=${first.next_cursor?.slice(0, -2)}AA`, account.liveKey],
      [`${PATH}?cursor=${first.next_cursor}`, other.liveKey],
      [`/v1/blocklist?cursor=${first.next_cursor}`, account.liveKey],
    ] as const) {
      expectProblem(await app.get(path, key), 400, 'invalid_cursor');
    }
  });
});

describe('a verdict', () => {
  const asked = (domain: string) => world.server(domain).commandsOf('RCPT').length;

  it('about a domain that the team declares not disposable uses the mail server’s answer', async () => {
    expect(await verify('jane@mailinator.com')).toMatchObject({
      reason: 'disposable',
      checks: { disposable: true },
      list_match: { list: 'disposable', scope: 'global', pattern: 'mailinator.com' },
      smtp: null,
    });
    await say('mailinator.com', 'not_disposable');
    const { length } = world.server('mailinator.com').commandsOf('RCPT');
    const verdict = { reason: 'catch_all', checks: { disposable: false, catch_all: true }, list_match: null };
    expect(await verify('jane@mailinator.com')).toMatchObject({ ...verdict, cached: false });
    expect(asked('mailinator.com')).toBeGreaterThan(length);
    expect(await verify('jane@mailinator.com')).toMatchObject({ ...verdict, cached: true });
    const other = await app.anAccount();
    expect((await verify('jane@mailinator.com', other.liveKey)).reason).toBe('disposable');
    // The mail server's answer is still stored, but no longer part of this verdict.
    await unsay('mailinator.com');
    expect(await verify('jane@mailinator.com')).toMatchObject({
      reason: 'disposable',
      checks: { disposable: true, catch_all: null },
      smtp: null,
      cached: true,
    });
  });

  it('about a domain that the team declares disposable uses no mail server and no stored facts', async () => {
    expect(await verify('jane@plain.mailworld')).toMatchObject({ reason: 'accepted_email' });
    await say('plain.mailworld', 'disposable');
    const before = asked('plain.mailworld');
    for (const email of ['jane@plain.mailworld', 'ghost@plain.mailworld']) {
      expect(await verify(email)).toMatchObject({
        status: 'risky',
        reason: 'disposable',
        checks: { disposable: true, mailbox_full: null },
        smtp: null,
        list_match: { list: 'disposable', scope: 'team', pattern: 'plain.mailworld', source: 'team' },
      });
    }
    expect(asked('plain.mailworld')).toBe(before);
    await unsay('plain.mailworld');
    expect(await verify('jane@plain.mailworld')).toMatchObject({ reason: 'accepted_email', cached: true });
    expect((await verify('ghost@plain.mailworld')).reason).toBe('mailbox_not_found');
  });

  it('follows the team’s longest matching override', async () => {
    await say('mailworld', 'disposable');
    await say('plain.mailworld', 'not_disposable');
    expect((await verify('jane@plain.mailworld')).reason).toBe('accepted_email');
    expect(await verify('jane@lines.mailworld')).toMatchObject({
      reason: 'disposable',
      list_match: { scope: 'team', pattern: 'mailworld' },
    });
  });

  it('under a test key follows the team’s overrides too', async () => {
    await say('corp.example', 'disposable');
    await say('fine.example', 'not_disposable');
    expect(await verify('jane@corp.example', account.testKey)).toMatchObject({
      reason: 'disposable',
      list_match: { scope: 'team', pattern: 'corp.example' },
    });
    expect((await verify('disposable@fine.example', account.testKey)).reason).toBe('accepted_email');
    expect((await verify('disposable@other.example', account.testKey)).reason).toBe('disposable');
  });
});

describe('the operator', () => {
  it('overrides a domain for every team, except where a team has its own override', async () => {
    await say('tls.mailworld', 'not_disposable');
    const other = await app.anAccount();
    await operator().addForOperator({ domain: 'tls.mailworld', verdict: 'disposable', note: null });
    expect(await verify('jane@tls.mailworld', other.liveKey)).toMatchObject({
      reason: 'disposable',
      list_match: { scope: 'global', pattern: 'tls.mailworld', source: 'operator' },
    });
    expect((await verify('jane@tls.mailworld')).reason).toBe('accepted_email');
    await operator().addForOperator({ domain: 'tls.mailworld', verdict: 'not_disposable', note: null });
    expect((await verify('jane@tls.mailworld', other.liveKey)).reason).toBe('accepted_email');
  });

  it('merges a team’s override on the command line; running processes follow within 5 seconds', async () => {
    const other = await app.anAccount();
    const reason = async (email: string) => (await verify(email, other.liveKey)).reason;
    expect(await reason('jane@helo.mailworld')).toBe('accepted_email');
    const { id } = await say('helo.mailworld', 'disposable');
    const rcpt = (...args: string[]) => runRcpt(['disposable', ...args], app.shared);
    const { out } = await rcpt('pending', '--json');
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ id, team_id: account.team.id }));
    expect(await rcpt('merge', id)).toMatchObject({
      code: 0,
      out: expect.stringContaining('helo.mailworld is disposable'),
    });
    expect((await rcpt('merge', id)).code).toBe(64);
    expect((await rcpt('add', 'Mailinator.com', '--not')).code).toBe(0);
    expect((await rcpt('add', 'no domain')).code).toBe(64);
    const merges = "SELECT 1 FROM audit_log WHERE action = 'disposable.merged' AND target_id = $1";
    expect(await sql(merges, [id])).toHaveLength(1);
    app.clock.advance(5_000);
    expect(await reason('jane@helo.mailworld')).toBe('disposable');
    expect(await reason('jane@mailinator.com')).toBe('catch_all');
    expect([await pending(), (await page()).data[0]?.status]).toEqual([0, 'merged']);
    await unsay('helo.mailworld');
    expect((await verify('jane@helo.mailworld')).list_match?.source).toBe('operator');
  }, 60_000);
});
