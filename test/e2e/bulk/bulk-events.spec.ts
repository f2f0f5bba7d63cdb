import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Lifecycle } from '../../../src/kernel/service-state/lifecycle.js';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { expectProblem } from '../../support/http/problems.js';

let app: TestApp;
let account: Awaited<ReturnType<TestApp['anAccount']>>;
let job: BulkJobResponse;
const opened = new Set<AbortController>();

beforeAll(async () => {
  app = await anApp();
});
afterAll(() => app.stop());
beforeEach(async () => {
  account = await app.anAccount();
  job = await aBulkJob(app, account.testKey, ['jane@example.com', 'catch_all@example.com']);
});
afterEach(() => {
  for (const stream of opened) stream.abort();
  opened.clear();
});

async function follow(key = account.testKey, id = job.id): Promise<Response> {
  const ended = new AbortController();
  opened.add(ended);
  const headers = { Authorization: `Bearer ${key}`, Accept: 'text/event-stream' };
  return fetch(`${app.url}/v1/bulk-jobs/${id}/events`, { headers, signal: ended.signal });
}

/** Reads until `count` events have come; without a count until the end. */
async function events(response: Response, count = Infinity): Promise<BulkJobResponse[]> {
  const found: BulkJobResponse[] = [];
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    const whole = text.split('\n\n');
    text = whole.pop() ?? '';
    for (const event of whole) {
      const data = /^event: bulk_job\ndata: (.*)$/.exec(event)?.[1];
      if (data !== undefined) found.push(JSON.parse(data) as BulkJobResponse);
    }
    if (found.length >= count) break;
  }
  return found;
}

it('sends the job as GET answers it, then its end, and closes', async () => {
  const response = await follow();
  expect([
    response.status,
    response.headers.get('content-type'),
    response.headers.get('cache-control'),
  ]).toEqual([200, 'text/event-stream', 'no-store']);
  const reading = events(response);
  await workOn(app);
  const all = await reading;
  expect(all[0]).toEqual(job);
  expect(all.at(-1)).toEqual((await app.get(`/v1/bulk-jobs/${job.id}`, account.testKey)).body);
  expect(all.at(-1)).toMatchObject({ status: 'completed', processed: 2 });
});

it('of a job that has ended sends one event', async () => {
  await workOn(app);
  expect(await events(await follow())).toMatchObject([{ status: 'completed' }]);
});

it('ends when the job is deleted', async () => {
  const reading = events(await follow());
  await app.delete(`/v1/bulk-jobs/${job.id}`, account.testKey).expect(204);
  expect(await reading).toHaveLength(1);
});

it('ends within 5 seconds after its key was revoked', async () => {
  const created = await app.post('/v1/keys', account.liveKey).send({ name: 'mine', mode: 'test' });
  const { id, key } = created.body as { id: string; key: string };
  const reading = events(await follow(key));
  app.clock.stop();
  await app.delete(`/v1/keys/${id}`, account.liveKey).expect(200);
  // A stream checks its key every second.
  app.clock.advance(4_000);
  await reading;
  app.clock.resume();
});

it('of another team is not there, and needs a key', async () => {
  const other = await app.anAccount();
  const answer = await app.get(`/v1/bulk-jobs/${job.id}/events`, other.testKey);
  expectProblem(answer, 404, 'not_found');
  expectProblem(await app.get(`/v1/bulk-jobs/${job.id}/events`), 401, 'missing_credential');
});

it('a team has ten at a time; a closed one makes room, and another team is not affected', async () => {
  const streams = await Promise.all(Array.from({ length: 10 }, () => follow()));
  expect(streams.map(({ status }) => status)).toEqual(new Array(10).fill(200));
  const refused = await app.get(`/v1/bulk-jobs/${job.id}/events`, account.testKey);
  expect(expectProblem(refused, 429, 'too_many_streams')).toMatchObject({ limit: 10 });
  expect(refused.headers['retry-after']).toBe('10');
  const other = await app.anAccount();
  const theirs = await aBulkJob(app, other.testKey, ['jane@example.com']);
  expect((await follow(other.testKey, theirs.id)).status).toBe(200);
  const [first] = opened;
  first?.abort();
  const free = async (): Promise<Response> => {
    const next = await follow();
    return next.status === 429 ? free() : next;
  };
  expect((await free()).status).toBe(200);
});

it('ends when the process shuts down', async () => {
  const reading = events(await follow());
  app.service.app.get(Lifecycle).drain();
  expect(await reading).toHaveLength(1);
});
