import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Rcpt } from '../../../clients/typescript/src/index.js';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { PolicyResponse } from '../../../src/modules/verification/policy/policy.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aKeyOf, joinTeam, rowsOf } from '../../support/app/joins.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

const PATH = '/v1/policy';

let app: TestApp;
let answers: ResponseValidator;
let account: NewAccount;

beforeAll(async () => {
  app = await anApp();
  answers = await ResponseValidator.published(app);
});
beforeEach(async () => {
  account = await app.anAccount();
});
afterAll(() => app.stop());

const read = async (key = account.liveKey) => {
  const answer = await app.get(PATH, key);
  expect(answer.status).toBe(200);
  answers.expect('GET', PATH, answer);
  return { policy: answer.body as PolicyResponse, etag: answer.headers.etag! };
};
const put = (body: object, key = account.liveKey, ifMatch?: string) => {
  const request = app.request('put', PATH, key);
  return (ifMatch === undefined ? request : request.set('If-Match', ifMatch)).send(body);
};
const stored = async (rules: readonly object[]): Promise<PolicyResponse> => {
  const answer = await put({ rules });
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  answers.expect('PUT', PATH, answer);
  return answer.body as PolicyResponse;
};
const REJECT = { when: { checks: 'disposable' }, decision: 'reject' };

describe('the policy', () => {
  it('has no rules at first', async () => {
    expect((await read()).policy).toEqual({ rules: [], updated_at: null, updated_by: null });
  });

  it('is given back with ids, in its order, and names who changed it', async () => {
    const rules = [
      {
        id: 'relays',
        when: { checks: ['privacy_relay'] },
        unless: { domain_suffix: 'privaterelay.appleid.com' },
        decision: 'reject',
        note: 'No relays but Apple’s',
        expires_at: '2030-01-31T12:00:00Z',
      },
      REJECT,
    ];
    const policy = await stored(rules);
    expect(policy).toEqual({
      rules: [
        rules[0],
        { ...REJECT, id: expect.stringMatching(/^rule_/), unless: null, note: null, expires_at: null },
      ],
      updated_at: expect.any(String),
      updated_by: account.user.id,
    });
    expect((await read()).policy).toEqual(policy);
  });

  it('is taken as it was given, and then is no change', async () => {
    await stored([
      {
        when: {
          email: ['Jane@Example.com', 'joe@BÜCHER.example'],
          domain: 'BÜCHER.example',
          domain_suffix: ['.gov.uk', 'example.com'],
          tld: '.РФ',
          mx_host_suffix: 'mail.example.com',
          provider: 'google',
          reason: 'catch_all',
          status: ['risky', 'unknown'],
          checks: ['free', 'role'],
          estimate_below: 0.5,
        },
        unless: {},
        decision: 'review',
      },
    ]);
    const { policy, etag } = await read();
    expect(policy.rules[0]).toMatchObject({
      when: {
        email: ['jane@example.com', 'joe@xn--bcher-kva.example'],
        domain: 'xn--bcher-kva.example',
        domain_suffix: ['gov.uk', 'example.com'],
        tld: 'xn--p1ai',
      },
      unless: null,
    });
    app.clock.advance(1_000);
    const again = await put(policy, account.liveKey, etag);
    expect([again.status, again.body, again.headers.etag]).toEqual([200, policy, etag]);
    expect(await changes()).toHaveLength(1);
  });

  it('has room for 200 rules with notes, and for no more', async () => {
    const rules = Array.from({ length: 200 }, (_, n) => ({
      when: { domain: `d${n}.example` },
      decision: 'reject',
      note: 'n'.repeat(200),
    }));
    expect((await stored(rules)).rules).toHaveLength(200);
    expect((await put((await read()).policy)).status).toBe(200);
    const problem = expectProblem(await put({ rules: [...rules, REJECT] }), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual(['/rules too_big']);
  });

  it('is refused when it could not be sent back', async () => {
    const note = 'ü'.repeat(200);
    const rules = Array.from({ length: 190 }, (_, n) => ({
      when: { domain: `d${n}.de` },
      decision: 'reject',
      note,
    }));
    const problem = expectProblem(await put({ rules }), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual(['/rules too_big']);
  });
});

describe('a change', () => {
  it('needs the version that was read, if it names one', async () => {
    const { etag: first } = await read();
    const answer = await put({ rules: [REJECT] }, account.liveKey, first);
    const second = answer.headers.etag!;
    expect([answer.status, second === first]).toEqual([200, false]);
    for (const tag of [first, `W/${second}`, 'nonsense'])
      expectProblem(await put({ rules: [] }, account.liveKey, tag), 412, 'policy_changed');
    expect((await read()).policy.rules).toHaveLength(1);
    expect((await put({ rules: [] }, account.liveKey, `"other", ${second}`)).status).toBe(200);
    expect((await put({ rules: [REJECT] }, account.liveKey, '*')).status).toBe(200);
    expect((await put({ rules: [] })).status).toBe(200);
  });

  it('is made once of several at the same time with the same version', async () => {
    const { etag } = await read();
    const ids = Array.from({ length: 6 }, (_, n) => `r${n}`);
    const sent = await Promise.all(
      ids.map((id) => put({ rules: [{ ...REJECT, id }] }, account.liveKey, etag)),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(5).fill(412)]);
  });

  it('is audited with ids, without values and notes', async () => {
    await stored([
      { ...REJECT, id: 'a', note: 'about jane@example.com' },
      { ...REJECT, id: 'b' },
      { ...REJECT, id: 'c' },
    ]);
    await stored([
      { ...REJECT, id: 'c' },
      { when: { email: 'jane@example.com' }, decision: 'accept', id: 'b' },
      { ...REJECT, id: 'd' },
    ]);
    expect(await changes()).toEqual([
      { rules: { from: 0, to: 3 }, added: ['a', 'b', 'c'] },
      { rules: { from: 3, to: 3 }, added: ['d'], removed: ['a'], changed: ['b'], reordered: true },
    ]);
  });

  it('is for admins; members and test keys may read', async () => {
    await stored([REJECT]);
    const member = await joinTeam(app, account);
    const admin = await joinTeam(app, account, 'admin');
    expect((await read(member.key)).policy.rules).toHaveLength(1);
    expect((await read(account.testKey)).policy.rules).toHaveLength(1);
    for (const key of [member.key, await aKeyOf(app, account, null)])
      expectProblem(await put({ rules: [] }, key), 403, 'role_required');
    expectProblem(await put({ rules: [] }, account.testKey), 403, 'live_key_required');
    expect((await put({ rules: [] }, admin.key)).body).toMatchObject({ rules: [], updated_by: admin.userId });
    expect((await read((await app.anAccount()).liveKey)).policy.rules).toEqual([]);
  });

  it.each<[complaint: string, body: object]>([
    ['/rules invalid_type', {}],
    ['/rules invalid_type', { rules: {} }],
    ['/rules/0 invalid_type', { rules: ['x'] }],
    ['/rules/0/when invalid_type', { rules: [{ decision: 'reject' }] }],
    ['/rules/0/decision invalid_value', { rules: [{ when: {}, decision: 'block' }] }],
    ['/rules/1/when/domain invalid_value', { rules: [REJECT, { ...REJECT, when: { domain: '*.example' } }] }],
    [
      '/rules/0/when/domain/1 invalid_value',
      { rules: [{ ...REJECT, when: { domain: ['a.example', 'a b'] } }] },
    ],
    ['/rules/0/when/domain too_small', { rules: [{ ...REJECT, when: { domain: [] } }] }],
    [
      '/rules/0/when/domain too_big',
      { rules: [{ ...REJECT, when: { domain: Array(501).fill('a.example') } }] },
    ],
    ['/rules/0/when/email invalid_value', { rules: [{ ...REJECT, when: { email: 'jane' } }] }],
    ['/rules/0/when/tld invalid_value', { rules: [{ ...REJECT, when: { tld: 'co.uk' } }] }],
    ['/rules/0/when/reason invalid_value', { rules: [{ ...REJECT, when: { reason: 'nice' } }] }],
    ['/rules/0/when/checks/0 invalid_value', { rules: [{ ...REJECT, when: { checks: ['mailbox_full'] } }] }],
    ['/rules/0/when/estimate_below too_big', { rules: [{ ...REJECT, when: { estimate_below: 1.1 } }] }],
    ['/rules/0/when/score unknown_member', { rules: [{ ...REJECT, when: { score: 1 } }] }],
    ['/rules/0/unless/domain invalid_type', { rules: [{ ...REJECT, unless: { domain: 7 } }] }],
    ['/rules/0/note too_big', { rules: [{ ...REJECT, note: 'x'.repeat(201) }] }],
    ['/rules/0/expires_at invalid_format', { rules: [{ ...REJECT, expires_at: 'tomorrow' }] }],
    ['/rules/0/id invalid_format', { rules: [{ ...REJECT, id: 'a b' }] }],
    [
      '/rules/1/id invalid_value',
      {
        rules: [
          { ...REJECT, id: 'a' },
          { ...REJECT, id: 'a' },
        ],
      },
    ],
  ])('is 400 with pointer and code: %s', async (complaint, body) => {
    const problem = expectProblem(await put(body), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual([complaint]);
    const preview = await app.post(`${PATH}/preview`, account.liveKey).send(body);
    expect(fieldErrorsOf(expectProblem(preview, 400, 'invalid_request'))).toEqual([complaint]);
  });
});

/** What the audit log has of the policy. */
async function changes(): Promise<unknown[]> {
  const entries = await rowsOf<{ details: unknown }>(
    app,
    `SELECT details FROM audit_log WHERE team_id = $1 AND action = 'policy.changed' ORDER BY seq`,
    [account.team.id],
  );
  return entries.map(({ details }) => details);
}

describe('the TypeScript client', () => {
  it('replaces, reads and previews rules, and takes what it has read', async () => {
    const { policy } = new Rcpt({ baseUrl: app.url, apiKey: account.liveKey });
    const stored = await policy.set([{ id: 'partner', when: { domain: 'a.example' }, decision: 'accept' }]);
    expect(stored.rules).toMatchObject([{ id: 'partner', decision: 'accept' }]);
    expect(await policy.get()).toEqual(stored);
    expect(await policy.set(stored.rules)).toEqual(stored);
    expect(await policy.preview([], { days: 30 })).toMatchObject({ verdicts: 0, changed: 0 });
    await expect(policy.preview([], { days: 31 })).rejects.toMatchObject({ name: 'InvalidRequestError' });
  });
});
