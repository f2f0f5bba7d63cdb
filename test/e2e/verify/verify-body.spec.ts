import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { DataSource } from 'typeorm';
import { statementsDuring } from '../../support/database/statements.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';
import { UdpSink } from '../../support/dns/udp-sink.js';

/** Name servers that do not respond: queries wait until the timeout. */
let dns: UdpSink;
let app: TestApp;
let answers: ResponseValidator;
let account: NewAccount;

beforeAll(async () => {
  dns = await UdpSink.open();
  app = await anApp({ DNS_SERVERS: dns.server, DNS_TIMEOUT_MS: '60000' });
  answers = await ResponseValidator.published(app);
  account = await app.anAccount();
});
afterAll(async () => {
  await app.stop();
  dns.close();
});

const post = (body: object, key = account.testKey) => app.post('/v1/verify', key).send(body);

async function verdicts(emails: string[], key?: string): Promise<VerdictResponse[]> {
  const answer = await post({ emails }, key);
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  answers.expect('POST', '/v1/verify', answer);
  return (answer.body as { data: VerdictResponse[] }).data;
}

/** Not an address: costs one unit without network access. */
const noAddresses = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `no-address-${from + n}`);

const used = async (key: string) =>
  ((await app.get('/v1/usage', key)).body as { quota: { used: number } }).quota.used;

describe('POST /v1/verify', () => {
  it('returns for `email` the same verdict as GET', async () => {
    for (const email of [
      'jane@example.com',
      'jane+catch_all@example.com',
      ' no address',
      'josé@example.com',
    ]) {
      const posted = await post({ email, refresh: true, timeout: 1.5 });
      const got = await app.get(`/v1/verify?email=${encodeURIComponent(email)}`, account.testKey);
      answers.expect('POST', '/v1/verify', posted);
      const now = { verified_at: null, duration_ms: null };
      expect([posted.status, { ...posted.body, ...now }]).toEqual([200, { ...got.body, ...now }]);
    }
  });

  it('returns one verdict for each of `emails`, in their order', async () => {
    const emails = ['null_mx@a.example', 'jane@b.example', 'nonsense', 'jane@b.example'];
    expect((await verdicts(emails)).map(({ email, reason }) => [email, reason])).toEqual([
      ['null_mx@a.example', 'null_mx'],
      ['jane@b.example', 'accepted_email'],
      ['nonsense', 'invalid_syntax'],
      ['jane@b.example', 'accepted_email'],
    ]);
    expect(await verdicts(noAddresses(25))).toHaveLength(25);
  });

  it.each([
    [{}, ' invalid_value'],
    [{ email: 'a@x.com', emails: ['b@x.com'] }, ' invalid_value'],
    [{ email: '' }, '/email too_small'],
    [{ email: null }, '/email invalid_type'],
    [{ email: ['a@x.com'] }, '/email invalid_type'],
    [{ email: 'a'.repeat(1_001) }, '/email too_big'],
    [{ emails: 'a@x.com' }, '/emails invalid_type'],
    [{ emails: [] }, '/emails too_small'],
    [{ emails: noAddresses(26) }, '/emails too_big'],
    [{ emails: ['a@x.com', 7] }, '/emails/1 invalid_type'],
    [{ emails: ['a@x.com', ''] }, '/emails/1 invalid_value'],
    [{ emails: ['a@x.com', 'a'.repeat(1_001)] }, '/emails/1 invalid_value'],
    [{ email: 'a@x.com', refresh: 'true' }, '/refresh invalid_type'],
    [{ email: 'a@x.com', timeout: '5' }, '/timeout invalid_type'],
    [{ email: 'a@x.com', timeout: 0.5 }, '/timeout too_small'],
    [{ email: 'a@x.com', timeout: 31 }, '/timeout too_big'],
    [{ email: 'a@x.com', name: 'x' }, '/name unknown_member'],
  ])('%j is 400 with the pointer', async (body, complaint) => {
    const problem = expectProblem(await post(body), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual([complaint]);
  });

  it('accepts no query parameters', async () => {
    const answer = await app.post('/v1/verify?timeout=5', account.testKey).send({ email: 'a@x.com' });
    expect(fieldErrorsOf(expectProblem(answer, 400, 'invalid_request'))).toEqual(['/timeout unknown_member']);
  });

  it('produces the errors of test keys, also for one of several addresses', async () => {
    expectProblem(await post({ email: 'quota_exceeded@x.test' }), 429, 'daily_quota_exceeded');
    expectProblem(await post({ emails: ['jane@x.test', 'rate_limited@x.test'] }), 429, 'rate_limited');
  });
});

describe('what the tier includes', () => {
  it('is checked as for GET: verify before the body is read, and refresh in the body', async () => {
    const suspended = await app.anAccount('suspended');
    const free = await app.anAccount('free');
    const facts = { tier: 'free', required_tier: 'starter', feature: 'refresh' };
    const verify = expectProblem(await post({ nonsense: 1 }, suspended.liveKey), 402, 'upgrade_required');
    expect(verify).toMatchObject({ tier: 'suspended', feature: 'verify' });
    for (const asked of [{ email: 'jane' }, { emails: ['jane', 'joe'] }]) {
      const answer = await post({ ...asked, refresh: true }, free.liveKey);
      expect(expectProblem(answer, 402, 'upgrade_required')).toMatchObject(facts);
      expect((await post({ ...asked, refresh: true }, free.testKey)).status).toBe(200);
    }
    expect(await used(free.liveKey)).toBe(0);
  });
});

describe('what it costs', () => {
  it('is one unit for each address, and one request of the rate', async () => {
    const { liveKey } = await app.anAccount('free');
    const answer = await post({ emails: [...noAddresses(24), 'no-address-0'] }, liveKey);
    expect(answer.status).toBe(200);
    expect(answer.headers.ratelimit).toMatch(/^"burst";r=9;t=\d+, "daily";r=75;/);
    expect((await post({ email: 'no-address' }, liveKey)).status).toBe(200);
    expect(await used(liveKey)).toBe(26);
  });

  it('is zero when fewer units are left than required', async () => {
    const { liveKey } = await app.anAccount('free');
    for (let round = 0; round < 3; round++) await verdicts(noAddresses(25), liveKey);
    await verdicts(noAddresses(20), liveKey);
    const refused = expectProblem(
      await post({ emails: noAddresses(6) }, liveKey),
      429,
      'daily_quota_exceeded',
    );
    expect(refused.detail).toContain('more units than the 5 that are left');
    expect(await used(liveKey)).toBe(95);
    await verdicts(noAddresses(5), liveKey);
    expectProblem(await post({ nonsense: 1 }, liveKey), 429, 'daily_quota_exceeded');
  });

  it('is charged once under an idempotency key, whose replay has the same body', async () => {
    const { liveKey } = await app.anAccount('starter');
    const send = () => post({ emails: noAddresses(7) }, liveKey).set('Idempotency-Key', 'seven');
    const first = await send();
    const second = await send();
    expect([second.status, second.headers['idempotency-replayed'], second.body]).toEqual([
      200,
      'true',
      first.body,
    ]);
    expect(await used(liveKey)).toBe(7);
  });

  it('is zero for unknown verdicts', async () => {
    const { liveKey } = await app.anAccount('free');
    const answer = await post({ emails: ['jane@silent.example.org.uk', 'nonsense'], timeout: 1 }, liveKey);
    const { data } = answer.body as { data: VerdictResponse[] };
    expect(data.map(({ reason }) => reason)).toEqual(['timeout', 'invalid_syntax']);
    expect(await used(liveKey)).toBe(1);
  });
});

/** Concurrent probes of the tier `free`. */
const PROBES = 10;

describe('the time and the number of probes', () => {
  const many = (name: string) =>
    Array.from({ length: 25 }, (_, n) => `jane.private@${name}-${n}.example.org.uk`);

  it('are limited for the whole call: addresses beyond the probes wait within the timeout', async () => {
    const { liveKey } = await app.anAccount('free');
    const emails = many('first');
    const before = dns.received;
    const first = post({ emails, timeout: 1 }, liveKey).then((answer) => answer);
    await dns.reaches(before + PROBES);
    const longer = post(
      { emails: many('longer').slice(0, PROBES), timeout: 2 },
      (await app.anAccount('free')).liveKey,
    );
    // Three rounds of ten probes would take three times as long.
    const answer = await Promise.race([first, longer.then(() => null)]);
    if (answer === null) throw new Error('The call with twice the timeout ended before it');
    await longer;
    const { data } = answer.body as { data: VerdictResponse[] };
    expect(data.map(({ email, reason }) => [email, reason])).toEqual(
      emails.map((email) => [email, 'timeout']),
    );
  });

  it('are used up for another call of the team, which gets 429 with Retry-After', async () => {
    const { liveKey } = await app.anAccount('free');
    const before = dns.received;
    const answering = post({ emails: many('second'), timeout: 5 }, liveKey).then((answer) => answer.status);
    await dns.reaches(before + PROBES);
    const refused = await post({ email: 'jane@other.example.org.uk', timeout: 1 }, liveKey);
    expectProblem(refused, 429, 'rate_limited');
    expect(refused.headers['retry-after']).toBe('1');
    expect((await post({ emails: ['nonsense'] }, liveKey)).status).toBe(200);
    expect(await answering).toBe(200);
  });

  it('and stored facts are looked up once for all addresses', async () => {
    const { liveKey } = await app.anAccount();
    const reads = await statementsDuring(
      app.service.app.get(DataSource),
      /\bJOIN address_facts\b|\bFROM address_facts\b/,
      async () => {
        await post({ emails: many('looked-up'), timeout: 1 }, liveKey).expect(200);
      },
    );
    expect(reads).toHaveLength(1);
  });

  it('no address of a body is logged', () => {
    expect(app.logged()).toContain('"POST"');
    expect(app.logged()).not.toContain('jane.private');
  });
});
