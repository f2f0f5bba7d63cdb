import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { NewAccount } from '../../src/modules/accounts/accounts.service.js';
import { REASONS } from '../../src/kernel/verdict.js';
import { Answers } from '../support/answers.js';
import { anApp, type TestApp } from '../support/app.js';

describe('the OpenAPI document', () => {
  let app: TestApp;
  let account: NewAccount;
  let document: OpenAPIObject;
  let answers: Answers;

  beforeAll(async () => {
    app = await anApp();
    account = await app.anAccount();
    document = (await app.get('/openapi.json')).body as OpenAPIObject;
    answers = new Answers(document);
  });
  afterAll(() => app.stop());

  it('is OpenAPI 3.1 and names every route', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths).sort()).toEqual([
      '/livez',
      '/metrics',
      '/readyz',
      '/signup',
      '/signup/confirm',
      '/v1/admin/disposable',
      '/v1/admin/disposable/pending',
      '/v1/admin/disposable/{domain}',
      '/v1/billing/invoices',
      '/v1/billing/portal',
      '/v1/billing/subscribe',
      '/v1/blocklist',
      '/v1/blocklist/{domain}',
      '/v1/bulk-jobs',
      '/v1/bulk-jobs/{id}',
      '/v1/bulk-jobs/{id}/cancel',
      '/v1/bulk-jobs/{id}/results',
      '/v1/invites/accept',
      '/v1/keys',
      '/v1/keys/{id}',
      '/v1/keys/{id}/rotate',
      '/v1/me',
      '/v1/team',
      '/v1/team/history',
      '/v1/team/invites',
      '/v1/team/invites/accept',
      '/v1/team/invites/{id}',
      '/v1/team/members/{id}',
      '/v1/usage',
      '/v1/usage/history',
      '/v1/verify',
      '/v1/verify/bulk',
      '/v1/webhooks',
      '/v1/webhooks/{id}',
      '/v1/webhooks/{id}/deliveries',
      '/v1/webhooks/{id}/deliveries/{delivery_id}/retry',
      '/v1/webhooks/{id}/rotate-secret',
      '/v1/webhooks/{id}/test',
      '/webhooks/stripe',
    ]);
  });

  it('describes every query parameter of verify', () => {
    const parameters = document.paths['/v1/verify']?.get?.parameters as { name: string; required: boolean }[];
    expect(parameters.map(({ name, required }) => [name, required])).toEqual([
      ['email', true],
      ['refresh', false],
      ['timeout', false],
    ]);
  });

  it('holds for the verdict of every reason', async () => {
    for (const reason of REASONS) {
      const answer = await app.get(`/v1/verify?email=${reason}@example.com`, account.testKey);
      expect((answer.body as { reason: string }).reason).toBe(reason);
      answers.expect('GET', '/v1/verify', answer);
    }
  });

  it('holds for every problem that verify can answer', async () => {
    const problems = [
      app.get('/v1/verify?email=jane@example.com'),
      app.get('/v1/verify?email=jane@example.com', 'rcpt_live_nonsense'),
      app.get('/v1/verify', account.testKey),
      app.get('/v1/verify?email=rate_limited@example.com', account.testKey),
      app.get('/v1/verify?email=quota_exceeded@example.com', account.testKey),
      app.get('/v1/verify?email=upgrade_required@example.com', account.testKey),
    ];
    const statuses = [];
    for (const problem of problems) {
      const answer = await problem;
      statuses.push(answer.status);
      answers.expect('GET', '/v1/verify', answer);
    }
    expect(statuses).toEqual([401, 401, 400, 429, 429, 402]);
  });

  it('holds for health', async () => {
    answers.expect('GET', '/livez', await app.get('/livez'));
    answers.expect('GET', '/readyz', await app.get('/readyz'));
  });

  it('names the key that /v1 asks for, and none elsewhere', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const { security = [] } of Object.values(item) as { security?: object[] }[]) {
        expect([path, security]).toEqual([path, path.startsWith('/v1/') ? [{ key: [] }] : []]);
      }
    }
  });
});
