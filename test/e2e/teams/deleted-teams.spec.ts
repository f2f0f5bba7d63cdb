import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TeamsService } from '../../../src/modules/identity/teams/team/teams.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { joinTeam } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';

let app: TestApp;
let other: TestApp;
beforeAll(async () => {
  app = await anApp();
  other = await anApp(app.shared);
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});

const WRITES: [method: 'post' | 'patch' | 'delete', path: string, body: object | null][] = [
  ['post', '/v1/blocklist', { domain: 'a.example' }],
  ['post', '/v1/keys', { name: 'k' }],
  ['post', '/v1/webhooks', { url: 'https://receiver.example/' }],
  ['post', '/v1/admin/disposable', { domain: 'a.example', verdict: 'disposable' }],
  ['post', '/v1/team/invites', { email: 'guest@team.example' }],
  ['patch', '/v1/team', { name: 'b' }],
  ['delete', '/v1/team', null],
];

it.each(WRITES)(
  'another process answers %s %s with 401 once the team of a cached key is deleted',
  async (method, path, body) => {
    for (const idempotencyKey of method === 'post' ? [undefined, 'once'] : [undefined]) {
      const { liveKey } = await app.anAccount();
      expect((await other.get('/v1/me', liveKey)).status).toBe(200);
      expect((await app.delete('/v1/team', liveKey)).status).toBe(204);
      const request = other.request(method, path, liveKey);
      if (idempotencyKey !== undefined) request.set('Idempotency-Key', idempotencyKey);
      expectProblem(await (body === null ? request : request.send(body)), 401, 'invalid_credential');
    }
  },
);

it('another process answers with 401 once the user of a cached key is deleted', async () => {
  const owner = await app.anAccount();
  const member = await joinTeam(app, owner);
  expect((await other.get('/v1/me', member.key)).status).toBe(200);
  await app.service.app.get(DataSource).query('DELETE FROM users WHERE id = $1', [member.userId]);
  const answer = await other.post('/v1/blocklist', member.key).send({ domain: 'a.example' });
  expectProblem(answer, 401, 'invalid_credential');
});

it('nobody joins the first team while it is deleted', async () => {
  const own = await anApp();
  try {
    const { user } = await own.anAccount();
    const dataSource = own.service.app.get(DataSource);
    const deletion = dataSource.createQueryRunner();
    await deletion.startTransaction();
    await deletion.query('DELETE FROM teams WHERE is_first');
    const joined = own.service.app.get(TeamsService).addToFirst(user.id, 'member');
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await dataSource.query<object[]>(waiting)).length === 0);
    await deletion.commitTransaction();
    await deletion.release();
    expect(await joined).toBe(false);
  } finally {
    await own.stop();
  }
});
