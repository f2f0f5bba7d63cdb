import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AddressSyntaxError } from '../../../src/engine/address/email-address.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

/** A text for every fault; an empty one is a bad request. */
const FAULTS: Readonly<Record<Exclude<AddressSyntaxError, 'empty'>, string>> = {
  no_at_sign: 'jane.corp.com',
  too_long: `${'a'.repeat(64)}@${'x.'.repeat(95)}com`,
  several_addresses: 'jane@corp.com; joe@corp.com',
  wrapped: 'Jane <jane@corp.com>',
  local_part_empty: '@corp.com',
  local_part_too_long: `${'é'.repeat(33)}@corp.com`,
  local_part_character: 'jane doe@corp.com',
  local_part_dot: 'jane..doe@corp.com',
  quoted_string: '"jane@corp.com',
  domain_empty: 'jane@',
  domain_too_long: `jane@${'x.'.repeat(130)}com`,
  domain_label: 'jane@-corp.com',
  domain_idna: 'jane@xn--a.com',
  address_literal: 'jane@[192.0.2.1]',
};

describe('a text that is no address', () => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await anApp();
    key = (await app.anAccount()).liveKey;
  });
  afterAll(() => app.stop());

  it.each(Object.entries(FAULTS))('is reported over HTTP with the rule syntax:%s', async (fault, text) => {
    const answer = await app.get(`/v1/verify?email=${encodeURIComponent(text)}`, key);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      email: text,
      normalized_email: null,
      reason: 'invalid_syntax',
      policy: { decision: 'reject', rule: `syntax:${fault}` },
      smtp: null,
    });
  });
});

describe('rcpt verify', () => {
  const json = async (email: string) => {
    const { out } = await runRcpt(['verify', email, '--json'], {});
    return JSON.parse(out) as VerdictResponse;
  };

  it('reports the rule, as text and as JSON', async () => {
    const { code, out } = await runRcpt(['verify', 'jane doe@corp.com'], {});
    expect(code).toBe(1);
    expect(out).toMatch(/undeliverable \(invalid_syntax\)[^]*rule +syntax:local_part_character/);
    expect((await json('"jane"doe@corp.com')).policy.rule).toBe('syntax:quoted_string');
    expect((await json('')).policy.rule).toBe('syntax:empty');
  });
});
