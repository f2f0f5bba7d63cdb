import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { CHUNKS_QUEUE } from '../../../src/modules/lists/bulk/domain/bulk-queue.js';
import { QueueWatch } from '../../../src/platform/queue/queue-watch.js';
import type { ExaminationResponse } from '../../../src/modules/operation/system/examination.dto.js';
import type { SystemResponse } from '../../../src/modules/operation/system/system.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob } from '../../support/app/bulk.js';
import { joinTeam } from '../../support/app/joins.js';
import { waitingRequests } from '../../support/database/waiting-requests.js';
import { expectProblem } from '../../support/http/problems.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';

let app: TestApp;
let first: NewAccount;
let second: NewAccount;

beforeAll(async () => {
  app = await anApp({ SIGNUP: 'open' });
});
afterAll(() => app.stop());

const isOperator = async (key: string) =>
  ((await app.get('/v1/me', key)).body as { operator: boolean }).operator;

it('of accounts that are made at the same time one has the first team', async () => {
  const made = await Promise.all(Array.from({ length: 4 }, () => app.anAccount()));
  const operators = await Promise.all(made.map(({ liveKey }) => isOperator(liveKey)));
  expect(operators.filter(Boolean)).toHaveLength(1);
  first = made[operators.indexOf(true)] as NewAccount;
  second = made[operators.indexOf(false)] as NewAccount;
});

it('is offered to the owner of the first team only, and refused to all others', async () => {
  const { key: admin } = await joinTeam(app, first, 'admin');
  const made = await app.post('/v1/keys', first.liveKey).send({ name: 'service', service: true });
  const service = (made.body as { key: string }).key;
  expect([
    await isOperator(first.liveKey),
    (await app.get('/v1/admin/system', first.liveKey)).status,
  ]).toEqual([true, 200]);
  for (const key of [second.liveKey, admin, service]) {
    expect(await isOperator(key)).toBe(false);
    expectProblem(await app.get('/v1/admin/system', key), 403, 'role_required');
  }
});

it('reports health, queues, egresses and verdicts, and names no address, domain or team', async () => {
  await app.get('/v1/verify?email=jane@unreachable.org', first.liveKey).expect(200);
  const answer = await app.get('/v1/admin/system', first.liveKey);
  const validator = await ResponseValidator.published(app);
  validator.expect('GET', '/v1/admin/system', answer);
  const { command, parts, queues, egresses, breakers, verdicts } = answer.body as SystemResponse;
  // The tests run in a clone.
  expect(command).toBe('npx --no rcpt');
  expect(parts).toContainEqual({ name: 'database', status: 'ok', reason: null });
  expect(queues).toContainEqual({ name: 'bulk-chunks', waiting: 0, active: 0, oldest_seconds: 0 });
  expect(egresses).toMatchObject([{ name: 'direct', cause: null, pause_seconds: 0, warmup: [] }]);
  expect(breakers).toEqual([]);
  expect(verdicts).toMatchObject({ total: 1, unknown_by_reason: { dns_error: 1 } });
  expect(answer.text).not.toMatch(/unreachable|@|team_/);
});

it('says for which limit the requests of a provider wait', async () => {
  const url = String(app.shared.DATABASE_URL);
  await waitingRequests(url, 'google', 7, 'provider');
  await waitingRequests(url, 'customer.example', 3, 'processes');
  const answer = await app.get('/v1/admin/system', first.liveKey);
  const validator = await ResponseValidator.published(app);
  validator.expect('GET', '/v1/admin/system', answer);
  const { providers, egresses } = answer.body as SystemResponse;
  expect(providers).toContainEqual({
    provider: 'google',
    egress: 'direct',
    limit: 5,
    used: 5,
    waiting: 7,
    blocked_by: 'provider',
    reason: 'all sessions that the provider allows are in use',
  });
  expect(providers).toContainEqual(
    expect.objectContaining({ provider: 'other', waiting: 3, blocked_by: 'processes' }),
  );
  expect(egresses).toMatchObject([{ name: 'direct', blocked_by: null, reason: null }]);
  expect(answer.text).not.toContain('customer');
  const metrics = (await app.get('/metrics')).text;
  expect(metrics).toContain('rcpt_provider_blocked{egress="direct",provider="google",limit="provider"} 7');
});

it('runs the checks of rcpt doctor, once a minute at most', async () => {
  const path = '/v1/admin/system/examination';
  const answers = await Promise.all([app.get(path, first.liveKey), app.get(path, first.liveKey)]);
  const validator = await ResponseValidator.published(app);
  for (const answer of answers) validator.expect('GET', path, answer);
  const [one, two] = answers.map(({ body }) => body as ExaminationResponse);
  expect(one).toEqual(two);
  expect(one?.findings.map(({ check }) => check)).toEqual(expect.arrayContaining(['database', 'resolver']));
  expect(one?.findings.find(({ check }) => check === 'resolver')).toMatchObject({ level: 'fail' });
  app.clock.advance(60_000);
  const later = (await app.get(path, first.liveKey)).body as ExaminationResponse;
  expect(later.at > (one?.at ?? '')).toBe(true);
  expectProblem(await app.get(path, second.liveKey), 403, 'role_required');
});

it('reports that workers are missing when jobs wait and none is active', async () => {
  const state = async () => (await app.get('/v1/admin/system', first.liveKey)).body as SystemResponse;
  const partOf = async () => (await state()).parts.find(({ name }) => name === 'workers');
  expect(await partOf()).toEqual({ name: 'workers', status: 'ok', reason: null });
  await aBulkJob(app, first.testKey, ['jane@example.com']);
  // The chunk is enqueued after the response.
  let waiting = 0;
  while (waiting === 0) waiting = (await state()).queues.reduce((sum, queue) => sum + queue.waiting, 0);
  app.clock.advance(90_000);
  expect(await partOf()).toMatchObject({
    status: 'degraded',
    reason: expect.stringMatching(/start a worker/),
  });
});

it('readiness tells of jobs that wait for minutes while none is active, and of their end', async () => {
  const watch = app.service.app.get(QueueWatch, { strict: false });
  const ready = async () => {
    await watch.look();
    return (await app.get('/readyz')).body as { status: string; checks: object; reasons: object };
  };
  expect((await ready()).checks).toMatchObject({ queue: 'ok' });
  app.clock.advance(300_000);
  expect(await ready()).toMatchObject({
    status: 'degraded',
    checks: { queue: 'degraded' },
    reasons: {
      queue: expect.stringMatching(/^jobs of \S+ have waited for \d+ s and none is active: start a worker/),
    },
  });
  const queue = app.service.app.get<Queue>(getQueueToken(CHUNKS_QUEUE), { strict: false });
  await queue.drain();
  expect((await ready()).checks).toMatchObject({ queue: 'ok' });
});

it('after the first team was deleted no other team takes its place', async () => {
  await app.delete('/v1/team', first.liveKey).expect(204);
  const later = await app.anAccount();
  expect([await isOperator(second.liveKey), await isOperator(later.liveKey)]).toEqual([false, false]);
});

it('a team that was made by sign-up is not the first', async () => {
  const other = await anApp({ SIGNUP: 'open' });
  const answer = await other.post('/signup').send({ email: 'a@example.com', team_name: 'A' });
  const { key } = answer.body as { key: { key: string } };
  expect((await other.get('/v1/me', key.key)).body).toMatchObject({ role: 'owner', operator: false });
  await other.stop();
});
