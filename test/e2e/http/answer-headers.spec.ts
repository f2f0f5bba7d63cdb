import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { expectProblem } from '../../support/http/problems.js';

let app: TestApp;
let team: TestTeam;
let answers: ResponseValidator;
beforeAll(async () => {
  app = await anApp();
  team = await aTeam(app);
  answers = await ResponseValidator.published(app);
});
afterAll(() => app.stop());

const made = async (path: string, body: object) => {
  const answer = await app.post(path, team.owner).send(body);
  expect([path, answer.status]).toEqual([path, path === '/v1/verify/bulk' ? 202 : 201]);
  return answer;
};
const idOf = ({ body }: Response) => (body as { id: string }).id;

describe('Location', () => {
  it.each([
    ['/v1/keys', { name: 'ci' }, 'key'],
    ['/v1/team/invites', { email: 'jane@example.com' }, 'token'],
    ['/v1/webhooks', { url: 'https://receiver.example/' }, 'secret'],
    ['/v1/verify/bulk', { emails: ['jane@example.com'] }, ''],
  ])('of POST %s is the URL of the created object, which has no secret', async (path, body, secret) => {
    const creation = await made(path, body);
    const answer = await app.get(String(creation.headers.location), team.owner);
    const shown: Record<string, unknown> = { ...(creation.body as object) };
    delete shown[secret];
    delete shown.accept_url;
    // What came of the object since then.
    const found: Record<string, unknown> = { ...(answer.body as object) };
    delete found.recent;
    if (found[secret] === null) delete found[secret];
    expect([answer.status, found]).toEqual([200, shown]);
  });

  it('of a key can be read by every member, of an invite by those who may list invites', async () => {
    const key = idOf(await made('/v1/keys', { name: 'deploy' }));
    const invite = idOf(await made('/v1/team/invites', { email: 'joe@example.com' }));
    for (const caller of [team.owner, team.admin, team.member, team.service]) {
      const answer = await app.get(`/v1/keys/${key}`, caller);
      expect(answer.status).toBe(200);
      answers.expect('GET', '/v1/keys/{id}', answer);
    }
    answers.expect('GET', '/v1/team/invites/{id}', await app.get(`/v1/team/invites/${invite}`, team.admin));
    expectProblem(await app.get(`/v1/team/invites/${invite}`, team.member), 403, 'role_required');
    for (const path of ['/v1/keys/key_x', '/v1/team/invites/inv_x', '/v1/team/invites/%00'])
      expectProblem(await app.get(path, team.owner), 404, 'not_found');
  });

  it('of an invite returns its current status', async () => {
    const invite = idOf(await made('/v1/team/invites', { email: 'gone@example.com' }));
    await app.delete(`/v1/team/invites/${invite}`, team.owner);
    const answer = await app.get(`/v1/team/invites/${invite}`, team.owner);
    expect(answer.body).toMatchObject({ id: invite, status: 'revoked' });
  });
});

describe('a cache', () => {
  it.each([
    '/v1/verify?email=jane@example.com',
    '/v1/me',
    '/v1/team',
    '/v1/team/invites',
    '/v1/keys',
    '/v1/usage',
    '/v1/usage/history',
    '/v1/blocklist',
    '/v1/bulk-jobs',
    '/v1/billing/invoices',
    '/v1/nothing',
    '/v1/verify',
    '/V1/team',
  ])('forbids caches to store GET %s', async (path) => {
    const { headers } = await app.get(path, team.owner);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('forbids caches to store results, which vary by Accept', async () => {
    const job = idOf(await made('/v1/verify/bulk', { emails: ['jane@example.com'] }));
    for (const accept of ['application/json', 'text/csv', 'application/x-ndjson']) {
      const answer = await app.get(`/v1/bulk-jobs/${job}/results`, team.owner).set('Accept', accept);
      expect(answer.headers['content-type']).toContain(accept);
      expect([answer.headers['cache-control'], answer.headers.vary]).toEqual(['no-store', 'Accept']);
    }
  });
});

describe('Link', () => {
  /** The pages from here to the last, by their `Link` alone. */
  async function pages(path: string): Promise<Response[]> {
    const found: Response[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const answer: Response = await app.get(next, team.owner);
      expect(answer.status).toBe(200);
      found.push(answer);
      next = /^<(\/v1\/[^>]*)>; rel="next"$/.exec(answer.headers.link ?? '')?.[1];
    }
    return found;
  }

  it('is the next page of a list, and is missing on the last page', async () => {
    for (let n = 0; n < 5; n++) await made('/v1/blocklist', { domain: `d${n}.example` });
    const found = await pages('/v1/blocklist?limit=2');
    const rows = found.map(({ body }) => (body as { data: { domain: string }[] }).data);
    expect(rows.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(rows.flat().map(({ domain }) => domain)).toEqual([4, 3, 2, 1, 0].map((n) => `d${n}.example`));
    expect(found.map(({ headers }) => headers.link !== undefined)).toEqual([true, true, false]);
  });

  it('keeps the filters over all pages', async () => {
    const emails = Array.from({ length: 5 }, (_, n) => `jane${n}@example.com`);
    const job = idOf(await made('/v1/verify/bulk', { emails }));
    const found = await pages(`/v1/bulk-jobs/${job}/results?limit=2`);
    expect(found.flatMap(({ body }) => (body as { data: { email: string }[] }).data)).toHaveLength(5);
    const filtered = await pages('/v1/team/invites?status=pending&limit=1');
    expect(filtered.length).toBeGreaterThan(1);
    for (const { headers, body } of filtered.slice(0, -1)) {
      const { next_cursor } = body as { next_cursor: string };
      expect(headers.link).toBe(
        `</v1/team/invites?status=pending&limit=1&cursor=${next_cursor}>; rel="next"`,
      );
    }
  });
});

describe('a fixed path that matches the parameter of another route', () => {
  it.each([
    ['DELETE', '/v1/admin/disposable/pending', 'GET, HEAD'],
    ['DELETE', '/v1/Admin/disposable/pending/', 'GET, HEAD'],
    ['GET', '/v1/team/invites/accept', 'POST'],
    ['DELETE', '/v1/team/invites/accept', 'POST'],
  ])('%s %s is 405 with the methods of the path', async (method, path, allow) => {
    const answer = await app.request(method.toLowerCase() as 'get', path, team.owner);
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.allow).toBe(allow);
  });
});

describe('a provider that is not configured', () => {
  it('is 503 without Retry-After: waiting does not help', async () => {
    const answer = await app.post('/v1/billing/portal', team.owner).send({});
    expectProblem(answer, 503, 'billing_unconfigured');
    expect(answer.headers['retry-after']).toBeUndefined();
  });
});
