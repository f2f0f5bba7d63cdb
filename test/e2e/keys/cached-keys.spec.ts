import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { SharedState } from '../../../src/engine/limits/shared-state.js';
import { KeyUseService } from '../../../src/modules/identity/api-keys/key-use.service.js';
import type { JoinedResponse } from '../../../src/modules/accounts/accounts/invites/joining.dto.js';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { joinTeam } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';
import { KEY_LOOKUP, statementsDuring } from '../../support/database/statements.js';
import { TcpRelay } from '../../support/database/tcp-relay.js';

/** Needs the database only to authenticate. */
const VERIFY = '/v1/verify?email=jane@example.com';

let app: TestApp;
let other: TestApp;
let relay: TcpRelay;
let team: TestTeam;
const keyUse = (at: TestApp) => at.service.app.get(KeyUseService, { strict: false });
beforeAll(async () => {
  app = await anApp();
  const through = await TcpRelay.to(app.shared.DATABASE_URL);
  relay = through.relay;
  other = await anApp({ ...app.shared, DATABASE_URL: through.url });
  for (const { clock, service } of [app, other]) {
    clock.stop();
    // The exchange of facts takes a connection each 1.5 seconds.
    await service.app.get(SharedState, { strict: false }).close();
  }
  // Its timer would write the uses of keys during any test.
  for (const at of [app, other]) await keyUse(at).onApplicationShutdown();
  team = await aTeam(app);
});
afterAll(async () => {
  await other.stop();
  await relay.close();
  await app.stop();
});

const statusAt = async (at: TestApp, key: string) => (await at.get(VERIFY, key)).status;
const aKey = async (by: string, wish: object = {}) =>
  (await app.post('/v1/keys', by).send({ name: 'k', mode: 'test', ...wish })).body as {
    id: string;
    key: string;
  };
const dataSourceOf = (at: TestApp) => at.service.app.get(DataSource);

/** Counts the look-ups of keys during an action. */
const lookupsDuring = async (at: TestApp, act: () => PromiseLike<unknown>): Promise<number> =>
  (await statementsDuring(dataSourceOf(at), KEY_LOOKUP, act)).length;

describe('a cached key', () => {
  it('needs one query for many calls', async () => {
    const { key } = await aKey(team.member);
    const calls = async () => {
      for (let call = 0; call < 20; call++) expect(await statusAt(other, key)).toBe(200);
    };
    expect(await lookupsDuring(other, () => other.get(VERIFY, key))).toBeGreaterThan(0);
    expect(await lookupsDuring(other, calls)).toBe(0);
  });

  it('is invalid within 5 s of a revocation by another process', async () => {
    const { id, key } = await aKey(team.member);
    expect(await statusAt(other, key)).toBe(200);
    expect((await app.delete(`/v1/keys/${id}`, team.member)).status).toBe(200);
    expect(await statusAt(app, key)).toBe(401);
    other.clock.advance(5_000);
    expect(await statusAt(other, key)).toBe(401);
  });

  it('is invalid within 5 s of the removal of its user', async () => {
    const { members, member } = await aTeam(app);
    expect(await statusAt(other, (await aKey(member)).key)).toBe(200);
    const { key } = await aKey(member);
    expect(await statusAt(other, key)).toBe(200);
    expect((await app.delete(`/v1/team/members/${members.member}`, member)).status).toBe(204);
    other.clock.advance(5_000);
    expect(await statusAt(other, key)).toBe(401);
  });

  it('cannot write into a team that another process has just deleted: 401, no internal error', async () => {
    const { liveKey, team: erased } = await app.anAccount();
    expect(await statusAt(other, liveKey)).toBe(200);
    expect((await app.delete('/v1/team', liveKey)).status).toBe(204);
    for (const [path, body] of [
      ['/v1/blocklist', { domain: 'example.org' }],
      ['/v1/admin/disposable', { domain: 'example.org', verdict: 'disposable' }],
    ] as const) {
      const answer = await other.post(path, liveKey).send(body);
      expectProblem(answer, 401, 'invalid_credential');
      expect(answer.text).not.toContain(erased.id);
    }
  });

  it('is not valid beyond the key’s expiry', async () => {
    const expires_at = new Date(other.clock.now().getTime() + 10_000).toISOString();
    const { key } = await aKey(team.member, { expires_at });
    other.clock.advance(8_000);
    expect(await statusAt(other, key)).toBe(200);
    other.clock.advance(2_000);
    expect(await statusAt(other, key)).toBe(401);
  });
});

it('of a returning member stays revoked, and keys created since are valid', async () => {
  const owner = await app.anAccount();
  const member = await joinTeam(app, owner);
  const homeKey = member.account.liveKey;
  const old = await aKey(member.key);
  await app.delete(`/v1/team/members/${member.id}`, owner.liveKey);
  app.clock.advance(10);
  const invite = (await app.post('/v1/team/invites', owner.liveKey).send({ email: member.email })).body as {
    token: string;
  };
  const joined = await app.post('/v1/invites/accept', homeKey).send({ token: invite.token });
  const since = (joined.body as JoinedResponse).key as { key: string };

  await app.dispatchEvents();
  await app.dispatchEvents();
  app.clock.advance(5_000);
  expect([
    await statusAt(app, old.key),
    await statusAt(app, since.key),
    await statusAt(app, homeKey),
  ]).toEqual([401, 200, 200]);
});

describe('last_used_at', () => {
  const lastUsed = async (id: string) => {
    const [row] = await dataSourceOf(app).query<{ at: Date | null }[]>(
      'SELECT last_used_at AS at FROM api_keys WHERE id = $1',
      [id],
    );
    return row?.at ?? null;
  };

  it('is written in batches, outside of requests, and never decreases', async () => {
    const { id, key } = await aKey(team.member);
    await app.get(VERIFY, key);
    expect(await lastUsed(id)).toBeNull();
    const before = app.clock.now();
    app.clock.advance(60_000);
    await app.get(VERIFY, key);
    await keyUse(app).flush();
    const at = await lastUsed(id);
    expect(at?.getTime()).toBeGreaterThanOrEqual(before.getTime() + 60_000);

    await other.get(VERIFY, key);
    await keyUse(other).flush();
    expect(await lastUsed(id)).toEqual(at);
  });

  it('is written at shutdown', async () => {
    const { id, key } = await aKey(team.member);
    const ending = await anApp(app.shared);
    await ending.get(VERIFY, key);
    await ending.stop();
    expect(await lastUsed(id)).not.toBeNull();
  });

  it('is written later after a failure', async () => {
    const { id, key } = await aKey(team.member);
    await app.get(VERIFY, key);
    await dataSourceOf(app).query('ALTER TABLE api_keys RENAME COLUMN last_used_at TO away');
    await keyUse(app).flush();
    await dataSourceOf(app).query('ALTER TABLE api_keys RENAME COLUMN away TO last_used_at');
    expect(await lastUsed(id)).toBeNull();
    await keyUse(app).flush();
    expect(await lastUsed(id)).not.toBeNull();
  });
});

describe('while the database does not answer', () => {
  it('a key is cached for at most 4 s, and then the response is 503, not 200 or 401', async () => {
    const { key } = await aKey(team.member);
    expect(await statusAt(other, key)).toBe(200);
    await relay.close();
    other.clock.advance(4_000);
    for (let attempt = 0; attempt < 2; attempt++) {
      expectProblem(await other.get(VERIFY, key), 503, 'unavailable');
    }
    await relay.open();
    expect(await statusAt(other, key)).toBe(200);
  });
});
