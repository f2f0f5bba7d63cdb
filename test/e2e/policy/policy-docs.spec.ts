import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { PolicyResponse } from '../../../src/modules/verification/policy/policy.dto.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { codeBlocksOf } from '../../support/clients/code-blocks.js';

let app: TestApp;
beforeAll(async () => {
  app = await anApp();
});
afterAll(() => app.stop());

/** The examples of the page, in its order: addresses that a test key verifies, and the decision and rule of each. */
const EXAMPLES: Record<string, [decision: string, rule: string | null]>[] = [
  {
    'jane+disposable@example.com': ['reject', 'team:disposable'],
    'jane@duck.com': ['reject', 'team:relays'],
    'jane@privaterelay.appleid.com': ['accept', null],
    'jane@example.com': ['accept', null],
  },
  {
    'jane+mailbox_not_found@mail.partner.example': ['accept', 'team:partner'],
    'jane+mailbox_not_found@notpartner.example': ['reject', null],
  },
  { 'info@gmail.com': ['review', 'team:roles'], 'info@example.com': ['accept', null] },
  { 'jane+catch_all@example.com': ['review', 'team:risky'] },
];

it('the examples of docs/policy.md are policies, and decide as the page says', async () => {
  const { liveKey, testKey } = await app.anAccount();
  const blocks = (await codeBlocksOf('docs/policy.md')).filter(({ language }) => language === 'json');
  expect(blocks).toHaveLength(EXAMPLES.length);
  for (const [n, { code }] of blocks.entries()) {
    const policy = JSON.parse(code) as PolicyResponse;
    const answer = await app.request('put', '/v1/policy', liveKey).send(policy);
    expect([answer.status, answer.body]).toMatchObject([200, policy]);
    for (const [email, [decision, rule]] of Object.entries(EXAMPLES[n]!)) {
      const answered = await app.get(`/v1/verify?email=${encodeURIComponent(email)}`, testKey);
      expect([email, (answered.body as VerdictResponse).policy]).toEqual([email, { decision, rule }]);
    }
  }
});
