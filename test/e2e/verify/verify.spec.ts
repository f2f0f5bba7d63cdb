import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { REASONS, STATUS_OF } from '../../../src/kernel/verdict.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';
import { UdpSink } from '../../support/dns/udp-sink.js';

let dns: UdpSink;
let app: TestApp;
let account: NewAccount;

beforeAll(async () => {
  dns = await UdpSink.open();
  app = await anApp({ DNS_SERVERS: dns.server, DNS_TIMEOUT_MS: '60000' });
  account = await app.anAccount();
});
afterAll(async () => {
  await app.stop();
  dns.close();
});

const sql = (statement: string, parameters: unknown[] = []) =>
  app.service.app.get(DataSource).query<Record<string, unknown>[]>(statement, parameters);

async function verdict(query: string, key = account.testKey): Promise<VerdictResponse> {
  const answer = await app.get(`/v1/verify?${query}`, key);
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  return answer.body as VerdictResponse;
}

describe('the parameters', () => {
  it.each([
    ['', '/email invalid_type'],
    ['email=', '/email too_small'],
    ['email', '/email too_small'],
    ['email=a@x.com&email=b@x.com', '/email invalid_type'],
    ['email=a@x.com&refresh=yes', '/refresh invalid_value'],
    ['email=a@x.com&refresh=', '/refresh invalid_value'],
    ['email=a@x.com&refresh=1&refresh=1', '/refresh invalid_value'],
    ['email=a@x.com&timeout=0', '/timeout invalid_format'],
    ['email=a@x.com&timeout=31', '/timeout invalid_format'],
    ['email=a@x.com&timeout=-1', '/timeout invalid_format'],
    ['email=a@x.com&timeout=1e1', '/timeout invalid_format'],
    ['email=a@x.com&timeout=', '/timeout invalid_format'],
    ['email=a@x.com&timeout=5&timeout=6', '/timeout invalid_type'],
    ['email=a@x.com&Refresh=1', '/Refresh unknown_member'],
    ['email=a@x.com&api_key=1', '/api_key unknown_member'],
    ['email=a@x.com&email[]=b@x.com', '/email[] unknown_member'],
  ])('%s is 400 with the reason', async (query, complaint) => {
    for (const key of [account.liveKey, account.testKey]) {
      const problem = expectProblem(await app.get(`/v1/verify?${query}`, key), 400, 'invalid_request');
      expect(fieldErrorsOf(problem)).toEqual([complaint]);
    }
  });

  it('are all validated in one response', async () => {
    const answer = await app.get('/v1/verify?refresh=x&timeout=x&x=x', account.testKey);
    const complaints = fieldErrorsOf(expectProblem(answer, 400, 'invalid_request'));
    expect(complaints.map((complaint) => complaint.split(' ')[0]).sort()).toEqual([
      '/email',
      '/refresh',
      '/timeout',
      '/x',
    ]);
  });

  it('with invalid encoding are 400', async () => {
    expectProblem(await app.get('/v1/verify?email=%ff@x.com', account.testKey), 400, 'malformed_http');
  });

  it.each([
    ['jane+news@example.com', 'jane+news@example.com'],
    ['jane%2Bnews@example.com', 'jane+news@example.com'],
    ['%22jane+doe%22@example.com', '"jane doe"@example.com'],
    ['jos%C3%A9@example.com', 'josé@example.com'],
  ])('email=%s verifies %s', async (written, email) => {
    expect(await verdict(`email=${written}`)).toMatchObject({ email, normalized_email: email });
  });

  it.each([
    ['%20jane@example.com%20', ' jane@example.com '],
    ['%09jane@example.com%0D%0A', '\tjane@example.com\r\n'],
    ['%EF%BB%BFjane@example.com%C2%A0', '\ufeffjane@example.com\u00a0'],
  ])(
    'email=%s verifies without the white space around it, and returns it as sent',
    async (written, email) => {
      expect(await verdict(`email=${written}`)).toMatchObject({
        email,
        normalized_email: 'jane@example.com',
        status: 'deliverable',
      });
    },
  );

  it('accept every spelling of refresh and timeout', async () => {
    for (const more of ['refresh=true', 'refresh=0', 'refresh=false&timeout=30', 'refresh=1&timeout=1.5']) {
      expect(await verdict(`email=jane@example.com&${more}`)).toMatchObject({ reason: 'accepted_email' });
    }
  });

  it('up to 1,000 characters are verified, more are 400', async () => {
    expect(await verdict(`email=${'a'.repeat(1_000)}`)).toMatchObject({ reason: 'invalid_syntax' });
    const answer = await app.get(`/v1/verify?email=${'a'.repeat(1_001)}`, account.testKey);
    expect(fieldErrorsOf(expectProblem(answer, 400, 'invalid_request'))).toEqual(['/email too_big']);
  });
});

describe('a tier without the feature', () => {
  const refused = async (tier: string, query: string, mode: 'liveKey' | 'testKey' = 'liveKey') => {
    const { [mode]: key } = await app.anAccount(tier);
    return expectProblem(await app.get(`/v1/verify?${query}`, key), 402, 'upgrade_required');
  };

  it('suspended is 402 for all, before any parameter is validated', async () => {
    const facts = { tier: 'suspended', required_tier: 'free', feature: 'verify' };
    expect(await refused('suspended', 'email=jane@example.com')).toMatchObject(facts);
    expect(await refused('suspended', 'nonsense=1')).toMatchObject(facts);
  });

  it('free is 402 for refresh, before any parameter is validated', async () => {
    const facts = { tier: 'free', required_tier: 'starter', feature: 'refresh' };
    expect(await refused('free', 'email=jane@example.com&refresh=true')).toMatchObject(facts);
    expect(await refused('free', 'refresh=1&nonsense=1')).toMatchObject(facts);
  });

  it('free may verify, and a test key may use everything on every tier', async () => {
    const free = await app.anAccount('free');
    const suspended = await app.anAccount('suspended');
    expect((await app.get('/v1/verify?email=jane@x.test&refresh=false', free.liveKey)).status).toBe(200);
    for (const { testKey } of [free, suspended]) {
      expect((await app.get('/v1/verify?email=jane@x.test&refresh=true', testKey)).status).toBe(200);
    }
  });
});

/** Where the name of a reason is not that of an error. */
const NAMED = REASONS.filter((reason) => reason !== 'rate_limited');

describe('a test key', () => {
  it.each(NAMED)('produces %s by the local part and by the tag', async (reason) => {
    for (const email of [`${reason}@corp.example`, `jane%2B${reason}@gmail.com`]) {
      expect(await verdict(`email=${email}`)).toMatchObject({
        email: decodeURIComponent(email),
        reason,
        status: STATUS_OF[reason],
        cached: false,
        age_seconds: 0,
      });
    }
  });

  it('is deliverable for everything else, and reports invalid addresses', async () => {
    expect(await verdict('email=jane@corp.example')).toMatchObject({ status: 'deliverable', score: 95 });
    expect(await verdict('email=jane.corp.example')).toMatchObject({ reason: 'invalid_syntax', smtp: null });
  });

  it('waits two seconds for slow', async () => {
    const start = performance.now();
    expect(await verdict('email=slow@corp.example')).toMatchObject({ status: 'deliverable' });
    expect(performance.now() - start).toBeGreaterThanOrEqual(1_990);
  });

  it.each([
    ['rate_limited', 429, 'rate_limited'],
    ['quota_exceeded', 429, 'daily_quota_exceeded'],
  ])('produces the error %s with Retry-After', async (trigger, status, code) => {
    for (const email of [`${trigger}@corp.example`, `jane%2B${trigger}@corp.example`]) {
      const answer = await app.get(`/v1/verify?email=${email}`, account.testKey);
      expectProblem(answer, status, code);
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
  });

  it('produces the error upgrade_required', async () => {
    const answer = await app.get('/v1/verify?email=upgrade_required@corp.example', account.testKey);
    expect(expectProblem(answer, 402, 'upgrade_required')).toMatchObject({ feature: 'verify' });
  });

  it('has used no network and stored nothing in these tests', async () => {
    const emails = [...NAMED.map((reason) => `jane%2B${reason}@gmail.com`), 'jane@gmail.com'];
    for (const email of emails) await verdict(`email=${email}&refresh=true`);
    await dns.settled();
    expect(dns.received).toBe(0);
    expect(await sql('SELECT * FROM address_facts')).toEqual([]);
    // The same address under a live key reaches the network, so the check above is effective.
    await verdict('email=jane@gmail.com&timeout=1', account.liveKey);
    await dns.settled();
    expect(dns.received).toBeGreaterThan(0);
  });
});

describe('a live key', () => {
  it('is answered in time when the name servers do not answer', async () => {
    expect(await verdict('email=jane@silent.example.org.uk&timeout=1', account.liveKey)).toMatchObject({
      status: 'unknown',
      reason: 'timeout',
      score: 30,
      smtp: null,
      dns: { mx_found: null },
      retry_after: null,
      cached: false,
    });
  });

  it.each([
    ['jane', 'syntax:no_at_sign'],
    ['jane@', 'syntax:domain_empty'],
    ['jane@@corp.com', 'syntax:local_part_character'],
    ['jane@[192.0.2.1]', 'syntax:address_literal'],
  ])('reports that %s is no address, and why', async (email, rule) => {
    expect(await verdict(`email=${email}`, account.liveKey)).toMatchObject({
      status: 'undeliverable',
      reason: 'invalid_syntax',
      normalized_email: null,
      score: 0,
      policy: { decision: 'reject', rule },
    });
  });

  it.each(['jane@example.com', 'jane@corp.test', 'jane@mail.localhost', 'jane@printer.local', 'jane@gmail'])(
    'reports without network access that %s cannot receive mail',
    async (email) => {
      await dns.settled();
      const before = dns.received;
      expect(await verdict(`email=${email}`, account.liveKey)).toMatchObject({
        status: 'undeliverable',
        reason: 'invalid_domain',
        policy: { rule: email.endsWith('@gmail') ? 'domain:no_dot' : 'domain:special_use' },
        did_you_mean: email.endsWith('@gmail') ? 'jane@gmail.com' : null,
      });
      await dns.settled();
      expect(dns.received).toBe(before);
    },
  );

  it('reports refusing name servers at once', async () => {
    const refusing = await anApp({ DNS_SERVERS: '127.0.0.1:9', DNS_TIMEOUT_MS: '60000' });
    const { liveKey } = await refusing.anAccount();
    // Otherwise the reason would be `timeout`.
    const answer = await refusing.get('/v1/verify?email=jane@gmail.com', liveKey);
    expect(answer.body).toMatchObject({ status: 'unknown', reason: 'dns_error', did_you_mean: null });
    await refusing.stop();
  });
});
