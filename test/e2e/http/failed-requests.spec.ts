import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { FailedRequestPage } from '../../../src/modules/identity/failed-requests/failed-requests.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { expectProblem } from '../../support/http/problems.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';

const PATH = '/v1/failed_requests';

let app: TestApp;
let responses: ResponseValidator;
let account: NewAccount;

beforeAll(async () => {
  app = await anApp();
  responses = await ResponseValidator.published(app);
});
beforeEach(async () => {
  account = await app.anAccount();
});
afterAll(() => app.stop());

async function page(query = '', key = account.liveKey): Promise<FailedRequestPage> {
  const response = await app.get(`${PATH}${query}`, key);
  expect([response.status, response.body]).toEqual([200, response.body]);
  responses.expect('GET', PATH, response);
  return response.body as FailedRequestPage;
}

const missing = (requestId: string, key = account.liveKey) =>
  app.get('/v1/bulk-jobs/job_00000000000000000000000000', key).set('X-Request-Id', requestId);

describe('GET /v1/failed_requests', () => {
  it('finds a failed request by the id in its problem, without URL or body', async () => {
    const problem = await app.get('/v1/blocklist?limit=jane@example.com', account.testKey);
    await missing('r-other');
    const { request_id: requestId } = problem.body as { request_id: string };
    const { data } = await page(`?request_id=${requestId}`);
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^req_/),
        request_id: requestId,
        at: expect.stringMatching(/Z$/),
        key_id: expect.stringMatching(/^key_/),
        method: 'GET',
        route: '/v1/blocklist',
        status: 400,
        code: 'invalid_request',
        duration_ms: expect.any(Number),
      },
    ]);
  });

  it('has the failed requests of all keys of the team, newest first, in pages, and none that succeeded', async () => {
    for (const id of ['r-1', 'r-2', 'r-3']) expect((await missing(id)).status).toBe(404);
    expect((await app.get('/v1/blocklist', account.liveKey)).status).toBe(200);
    const first = await page('?limit=2');
    expect(first.data.map(({ request_id: id }) => id)).toEqual(['r-3', 'r-2']);
    const rest = await page(`?limit=2&cursor=${first.next_cursor}`, account.testKey);
    expect(rest.data.map(({ request_id: id }) => id)).toEqual(['r-1']);
  });

  it('filters by the code of the problem', async () => {
    await missing('r-missing');
    await app.get('/v1/blocklist?limit=0', account.liveKey);
    const { data } = await page('?code=not_found');
    expect(data.map(({ request_id: id }) => id)).toEqual(['r-missing']);
  });

  it('has nothing of other teams, nor of requests without a valid key', async () => {
    await missing('r-other', (await app.anAccount()).liveKey);
    await missing('r-stranger', 'rcpt_live_nobody');
    expect((await page()).data).toEqual([]);
  });

  it('stores a bounded number of requests, so that a loop of failures costs little', async () => {
    for (let n = 0; n < 110; n++) await missing(`r-${n}`);
    const { data } = await page('?limit=100');
    expect(data[0]?.request_id).toBe('r-99');
    expect((await page('?limit=100')).has_more).toBe(false);
  });

  it.each(['request_id=a%20b', `request_id=${'a'.repeat(65)}`, 'code=Not', 'code='])(
    'says what to send instead of %s',
    async (query) => {
      expectProblem(await app.get(`${PATH}?${query}`, account.liveKey), 400, 'invalid_request');
    },
  );
});
