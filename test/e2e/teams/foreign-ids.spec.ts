import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { newId, type IdPrefix } from '../../../src/kernel/ids.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';

const METHODS = ['get', 'post', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];

/**
 * Every route of the OpenAPI document with an id in its path: the response for another team's id must
 * equal that for a random id.
 */
describe('an object of another team', () => {
  let app: TestApp;
  let theirs: TestTeam;
  let stranger: string;
  let routes: { method: Method; path: string }[];
  /** One of the other team's objects for each parameter, by the route's collection. */
  let objects: Record<string, { id: string; prefix: IdPrefix }>;

  beforeAll(async () => {
    app = await anApp();
    theirs = await aTeam(app);
    stranger = (await app.anAccount()).liveKey;
    const made = async (path: string, body: object) => {
      const answer = await app.post(path, theirs.owner).send(body);
      return (answer.body as { id: string }).id;
    };
    objects = {
      '/v1/bulk-jobs': { id: await made('/v1/verify/bulk', { emails: ['no address'] }), prefix: 'job' },
      '/v1/keys': { id: await made('/v1/keys', { name: 'theirs' }), prefix: 'key' },
      '/v1/outcome-sources': { id: await made('/v1/outcome-sources', { kind: 'ses' }), prefix: 'src' },
      '/v1/schedules': {
        id: await made('/v1/schedules', {
          name: 'theirs',
          every: 'day',
          source: { kind: 'url', url: 'https://example.com/list.csv' },
        }),
        prefix: 'sch',
      },
      '/v1/team/invites': {
        id: await made('/v1/team/invites', { email: 'guest@team.example' }),
        prefix: 'inv',
      },
      '/v1/team/members': { id: theirs.members.member, prefix: 'mem' },
      '/v1/webhooks': { id: await made('/v1/webhooks', { url: 'https://receiver.example/' }), prefix: 'whk' },
    };
    const document = (await app.get('/openapi.json')).body as OpenAPIObject;
    routes = Object.entries(document.paths).flatMap(([path, item]) =>
      // Candidates are of the installation; `access-table.spec.ts` shows who decides on them.
      METHODS.filter(
        (method) => item[method] !== undefined && path.includes('{id}') && !path.includes('/candidates/'),
      ).map((method) => ({
        method,
        path,
      })),
    );
  });
  afterAll(() => app.stop());

  it('has the same response as a random id, in every route with an id', async () => {
    expect(routes.length).toBeGreaterThanOrEqual(5);
    for (const { method, path } of routes) {
      const collection = path.slice(0, path.indexOf('/{id}'));
      const object = objects[collection];
      expect([path, object !== undefined]).toEqual([path, true]);
      if (object === undefined) continue;
      const ask = async (id: string) => {
        const request = app.request(method, path.replace('{id}', id), stranger);
        const answer = await (method === 'post' || method === 'patch'
          ? request.send(bodyFor(path))
          : request);
        const problem = { ...(answer.body as object), instance: null, request_id: null };
        return { status: answer.status, problem };
      };
      const foreign = await ask(object.id);
      expect([method, path, foreign]).toEqual([method, path, await ask(newId(object.prefix))]);
      expect([method, path, foreign.status]).toEqual([method, path, 404]);
    }
  });

  it('cannot be created: no route accepts a team', async () => {
    for (const team_id of [theirs.id, newId('team')]) {
      const answer = await app.post('/v1/keys', stranger).send({ name: 'mine', team_id });
      expect(answer.status).toBe(400);
    }
  });

  it('was not changed by these requests', async () => {
    const team = (await app.get('/v1/team', theirs.owner)).body as { members: unknown[] };
    expect(team.members).toHaveLength(3);
    const invites = (await app.get('/v1/team/invites?status=pending', theirs.owner)).body as {
      data: unknown[];
    };
    expect(invites.data).toHaveLength(1);
  });
});

function bodyFor(path: string): object {
  if (path.includes('members')) return { role: 'member' };
  if (['/v1/keys/{id}', '/v1/bulk-jobs/{id}', '/v1/schedules/{id}'].includes(path))
    return { name: 'renamed' };
  if (path.endsWith('/retry-failed')) return { since: '2026-01-01T00:00:00Z' };
  return path === '/v1/webhooks/{id}' ? { enabled: false } : {};
}
