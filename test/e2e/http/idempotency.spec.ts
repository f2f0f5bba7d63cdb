import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClientRequest } from 'node:http';
import type { Response } from 'supertest';
import { DataSource } from 'typeorm';
import { IdempotencyStore } from '../../../src/platform/database/idempotency/idempotency-store.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { sweep } from '../../support/database/growing-tables.js';
import { expectProblem } from '../../support/http/problems.js';

interface Listed {
  data: { domain: string; id: string }[];
}

let app: TestApp;
let key: string;
let teamId: string;
beforeAll(async () => {
  app = await anApp();
});
afterAll(() => app.stop());
beforeEach(async () => {
  const account = await app.anAccount();
  key = account.liveKey;
  teamId = account.team.id;
});

const send = (path: string, idempotencyKey: string, body: object, asKey = key) =>
  app.post(path, asKey).set('Idempotency-Key', idempotencyKey).send(body);
const block = (idempotencyKey: string, domain: string, asKey = key) =>
  send('/v1/blocklist', idempotencyKey, { domain }, asKey);
const blocked = async (asKey = key) =>
  ((await app.get('/v1/blocklist', asKey)).body as Listed).data.map(({ domain }) => domain).sort();
const isReplay = ({ headers }: Response) => headers['idempotency-replayed'] === 'true';
const sql = <T>(text: string, values: unknown[] = []) =>
  app.service.app.get(DataSource).query<T>(text, values);
const marks = () => app.service.app.get(IdempotencyStore);

describe('a POST with an Idempotency-Key', () => {
  it('is executed once; a repetition gets the same response', async () => {
    const first = await send('/v1/keys', 'once', { name: 'A key' });
    expect([first.status, isReplay(first)]).toEqual([201, false]);
    const again = await send('/v1/keys', 'once', { name: 'A key' });
    expect([again.status, isReplay(again)]).toEqual([201, true]);
    expect(again.body).toEqual({ ...(first.body as object), key: null });
    for (const name of ['location', 'content-type', 'cache-control'])
      expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(((await app.get('/v1/keys', key)).body as Listed).data).toHaveLength(3);
  });

  it('accepts the key with or without quotes', async () => {
    expect((await block('"a \\"quoted\\" key"', 'one.example')).status).toBe(201);
    expect(isReplay(await block('a "quoted" key', 'one.example'))).toBe(true);
    expect(isReplay(await block('  a "quoted" key ', 'one.example'))).toBe(true);
  });

  it('covers the query, in any order of its parameters', async () => {
    const list = (query: string) =>
      send(`/v1/verify/bulk?${query}`, 'list', { emails: ['jane@example.com'] });
    const held = await list('hold=true&name=a');
    expect([held.status, (held.body as { status: string }).status]).toEqual([202, 'held']);
    expect(isReplay(await list('name=a&hold=true'))).toBe(true);
    for (const other of ['name=a', 'hold=true', 'hold=true&name=b', ''])
      expectProblem(await list(other), 422, 'idempotency_key_reused');
  });

  it('with a used key and another request is refused', async () => {
    await block('used', 'one.example');
    expectProblem(await block('used', 'two.example'), 422, 'idempotency_key_reused');
    expectProblem(await send('/v1/keys', 'used', { domain: 'one.example' }), 422, 'idempotency_key_reused');
    // The fingerprint covers the bytes of the body.
    const spaced = app.post('/v1/blocklist', key).set('Idempotency-Key', 'used');
    const answer = await spaced.type('json').send('{ "domain": "one.example" }');
    expectProblem(answer, 422, 'idempotency_key_reused');
    expect(await blocked()).toEqual(['one.example']);
  });

  it.each([
    ['is empty', ''],
    ['is too long', 'k'.repeat(256)],
    ['is not ASCII', 'sch\u00fcssel'],
    ['lacks a quote', '"open'],
    ['is empty in quotes', '""'],
    ['escapes what needs no escape', '"a\\b"'],
  ])('with a key %s is 400', async (_, idempotencyKey) => {
    expectProblem(await block(idempotencyKey, 'one.example'), 400, 'invalid_idempotency_key');
    expect(await blocked()).toEqual([]);
  });

  it('must have one key: two headers are 400, also when they are equal', async () => {
    for (const other of ['two', 'one']) {
      const twice = app.post('/v1/blocklist', key).on('request', ({ req }: { req: ClientRequest }) => {
        req.setHeader('Idempotency-Key', ['one', other]);
      });
      expectProblem(await twice.send({ domain: 'one.example' }), 400, 'invalid_idempotency_key');
    }
    expect(await blocked()).toEqual([]);
  });

  it('accepts a key of the maximum length', async () => {
    expect((await block('k'.repeat(255), 'one.example')).status).toBe(201);
  });

  it('does not share its key with another team', async () => {
    const other = (await app.anAccount()).liveKey;
    await block('common', 'one.example');
    const theirs = await block('common', 'two.example', other);
    expect([theirs.status, isReplay(theirs)]).toEqual([201, false]);
    expect(await blocked(other)).toEqual(['two.example']);
  });

  it('is 401 without a valid key, before the store is read', async () => {
    await block('once', 'one.example');
    expectProblem(await block('once', 'one.example', 'rcpt_live_nonsense'), 401, 'invalid_credential');
  });

  it('sent 20 times concurrently, to two processes, has one effect', async () => {
    const other = await anApp(app.shared);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? app : other)
          .post('/v1/keys', key)
          .set('Idempotency-Key', 'race')
          .send({ name: 'Only one' }),
      ),
    );
    await other.stop();
    const kinds = answers.map((answer) => (isReplay(answer) ? 'replay' : String(answer.status)));
    expect(kinds.filter((kind) => kind === '201')).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectProblem(answer, 409, 'idempotency_in_progress');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect(((await app.get('/v1/keys', key)).body as Listed).data).toHaveLength(3);
  });
});

describe('what is stored for a replay', () => {
  it('does not include secrets, and is encrypted', async () => {
    const made = (await send('/v1/keys', 'key', { name: 'A key' })).body as { id: string; key: string };
    const invite = { email: 'guest@private.example' };
    const invited = (await send('/v1/team/invites', 'invite', invite)).body as { token: string };
    const rotated = (await send(`/v1/keys/${made.id}/rotate`, 'rotate', {})).body as { key: string };
    for (const secret of [made.key, invited.token, rotated.key]) expect(secret).toMatch(/[\w-]{20}/);

    expect((await send('/v1/keys', 'key', { name: 'A key' })).body).toMatchObject({ key: null });
    expect((await send('/v1/team/invites', 'invite', invite)).body).toMatchObject({
      email: invite.email,
      token: null,
      accept_url: null,
    });
    expect((await send(`/v1/keys/${made.id}/rotate`, 'rotate', {})).body).toMatchObject({ key: null });
    const stored = JSON.stringify(await sql('SELECT * FROM idempotency_keys'));
    for (const text of [made.key, invited.token, rotated.key, 'private.example', made.id])
      expect(stored).not.toContain(text);
  });

  it('does not include 404 and 409, which may have changed', async () => {
    await app.post('/v1/blocklist', key).send({ domain: 'one.example' });
    const first = await block('conflict', 'one.example');
    expectProblem(first, 409, 'already_blocked');
    await app.delete('/v1/blocklist/one.example', key);
    const again = await block('conflict', 'one.example');
    expect(isReplay(again)).toBe(true);
    expectProblem(again, 409, 'already_blocked');
    expect(await blocked()).toEqual([]);

    const missing = '/v1/keys/key_00000000000000000000000000/rotate';
    expectProblem(await send(missing, 'missing', {}), 404, 'not_found');
    const still = await send(missing, 'missing', {});
    expect(isReplay(still)).toBe(true);
    expectProblem(still, 404, 'not_found');
  });

  it('does not include other errors: the request may be retried or corrected', async () => {
    expectProblem(await block('again', 'no domain'), 400, 'invalid_request');
    const wrongType = app.post('/v1/blocklist', key).set('Idempotency-Key', 'again').type('text').send('one');
    expectProblem(await wrongType, 415, 'unsupported_media_type');
    const good = await block('again', 'one.example');
    expect([good.status, isReplay(good)]).toEqual([201, false]);
  });

  it('is deleted after 24 hours', async () => {
    await block('old', 'one.example');
    await sql(
      `UPDATE idempotency_keys SET created_at = created_at - interval '24 hours' WHERE team_id = $1`,
      [teamId],
    );
    const fresh = await block('old', 'two.example');
    expect([fresh.status, isReplay(fresh)]).toEqual([201, false]);
    await sql(`UPDATE idempotency_keys SET created_at = created_at - interval '24 hours'`);
    expect(await sweep(app, 'delete old idempotency keys')).toBeGreaterThanOrEqual(1);
    expect(await sql('SELECT * FROM idempotency_keys')).toEqual([]);
  });
});

describe('a request that was interrupted', () => {
  it('holds its key while it runs; then the next one is executed', async () => {
    await block('stuck', 'one.example');
    // The state after a crash between the two commits.
    await sql(`UPDATE idempotency_keys SET status = NULL, response = NULL WHERE team_id = $1`, [teamId]);
    await app.delete('/v1/blocklist/one.example', key);
    const early = await block('stuck', 'one.example');
    expectProblem(early, 409, 'idempotency_in_progress');
    expect(early.headers['retry-after']).toBe('1');
    expectProblem(await block('stuck', 'two.example'), 422, 'idempotency_key_reused');
    await sql(`UPDATE idempotency_keys SET leased_until = now() - interval '1 second' WHERE team_id = $1`, [
      teamId,
    ]);
    const next = await block('stuck', 'one.example');
    expect([next.status, isReplay(next)]).toEqual([201, false]);
    expect(isReplay(await block('stuck', 'one.example'))).toBe(true);
  });

  it('has no effect when its response could not be stored', async () => {
    const book = marks();
    const keep = book.save.bind(book);
    book.save = () => Promise.reject(new Error('the disk is full'));
    expectProblem(await block('undone', 'one.example'), 500, 'internal_error');
    // Another process has taken over the key: this one was considered dead.
    book.save = () => Promise.resolve(false);
    expectProblem(await block('undone', 'one.example'), 409, 'idempotency_in_progress');
    expect(await blocked()).toEqual([]);
    book.save = keep;
    const good = await block('undone', 'one.example');
    expect([good.status, isReplay(good)]).toEqual([201, false]);
  });
});

describe('an Idempotency-Key', () => {
  it('is ignored for requests that are idempotent anyway, and for sign-up', async () => {
    const read = () => app.get('/v1/me', key).set('Idempotency-Key', '"');
    expect([(await read()).status, isReplay(await read())]).toEqual([200, false]);
    const signUp = () => app.post('/signup').set('Idempotency-Key', '"').send({ unknown: 1 });
    expectProblem(await signUp(), 400, 'invalid_request');
  });

  it('is a parameter of every POST under /v1 in the OpenAPI document', async () => {
    const { paths } = (await app.get('/openapi.json')).body as {
      paths: Record<string, { post?: { parameters?: { $ref?: string }[] } }>;
    };
    for (const [path, { post }] of Object.entries(paths)) {
      if (post === undefined) continue;
      const refs = (post.parameters ?? []).map(({ $ref }) => $ref);
      const expected = path.startsWith('/v1/');
      expect([path, refs.includes('#/components/parameters/IdempotencyKey')]).toEqual([path, expected]);
    }
  });
});
