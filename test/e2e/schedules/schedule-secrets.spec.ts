import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { Config } from '../../../src/platform/config/config.js';
import { expectProblem, type Problem } from '../../support/http/problems.js';
import { OAuthRequests } from '../../support/oauth/oauth-requests.js';
import { ScheduleApp } from '../../support/schedules/schedule-app.js';
import { ScriptedListmonk } from '../../support/schedules/scripted-listmonk.js';
import type { WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';

const { token: TOKEN } = ScriptedListmonk.credentials;
const HEADERS = { Authorization: 'Bearer value-of-the-header' };

let world: ScheduleApp;
let account: NewAccount;
let listmonk: ScriptedListmonk;
let own: WebhookReceiver;
let other: WebhookReceiver;
beforeAll(async () => {
  world = await ScheduleApp.start();
});
beforeEach(async () => {
  account = await world.app.anAccount();
  listmonk = await ScriptedListmonk.start();
  listmonk.add('reader@list.invalid');
  [own, other] = [await world.aSource(), await world.aSource()];
});
afterEach(() => listmonk.stop());
afterAll(() => world.stop());

const patch = (id: string, body: object, key = account.liveKey) =>
  world.app.request('patch', `/v1/schedules/${id}`, key).send(body);
const stored = async (id: string) =>
  (await world.sql<{ secret: string | null }>('SELECT secret FROM schedules WHERE id = $1', [id]))[0]?.secret;
const ofListmonk = () => world.aSchedule(account, listmonk.source());
const ofUrl = () => world.aSchedule(account, { kind: 'url', url: own.url, headers: HEADERS });
const listmonkAt = (url: string) => ({ kind: 'listmonk', url, username: 'rcpt', lists: [1] });
const urlAt = (url: string) => ({ kind: 'url', url });
const everythingSentTo = ({ received }: WebhookReceiver) =>
  JSON.stringify(received.map(({ headers }) => headers));

describe('a secret of a source', () => {
  it.each<[string, () => Promise<{ id: string }>, () => object]>([
    ['a token, when the source becomes a file on another host', ofListmonk, () => urlAt(other.url)],
    ['a token, when the source becomes a file on the same host', ofListmonk, () => urlAt(listmonk.url)],
    ['headers, when they are left out on another host', ofUrl, () => ({ ...urlAt(other.url), headers: {} })],
    ['headers, when they are removed on the same host', ofUrl, () => ({ ...urlAt(own.url), headers: {} })],
  ])('is deleted: %s', async (_, make, source) => {
    const { id } = await make();
    expect(await stored(id)).not.toBeNull();
    expect((await patch(id, { source: source() })).status).toBe(200);
    expect(await stored(id)).toBeNull();
    await world.run({ id }, account);
    for (const server of [own, other]) expect(everythingSentTo(server)).not.toContain('value-of-the-header');
    const sent = everythingSentTo(other) + everythingSentTo(own);
    for (const secret of [TOKEN, Buffer.from(`rcpt:${TOKEN}`).toString('base64')])
      expect(sent).not.toContain(secret);
  });

  it.each<[string, () => Promise<{ id: string }>, () => object, string]>([
    ['token', ofListmonk, () => listmonkAt(other.url), '/source/token'],
    ['token', ofUrl, () => listmonkAt(own.url), '/source/token'],
    ['headers', ofUrl, () => urlAt(other.url), '/source/headers'],
    ['headers', ofUrl, () => urlAt(own.url.replace('127.0.0.1', 'localhost')), '/source/headers'],
  ])('is asked for again: the %s, for another kind or origin', async (_, make, source, pointer) => {
    const { id } = await make();
    const answer = await patch(id, { source: source() });
    expect(answer.status).toBe(400);
    expect((answer.body as Problem).errors).toMatchObject([{ pointer }]);
    expect(await stored(id)).not.toBeNull();
  });

  it('does not come back after a detour, in steps that are each allowed', async () => {
    const { id } = await ofListmonk();
    await patch(id, { source: urlAt(other.url) });
    const back = await patch(id, { source: listmonkAt(listmonk.url) });
    expect((back.body as Problem).errors).toMatchObject([{ pointer: '/source/token' }]);
    expect(await stored(id)).toBeNull();
  });

  it('stays for another path, other lists and other settings', async () => {
    const { id } = await ofUrl();
    const before = await stored(id);
    await patch(id, { source: urlAt(own.url.replace('hooks', 'other')), name: 'Another' });
    await patch(id, { max_age_days: 3, enabled: false });
    expect(await stored(id)).toBe(before);
    await world.run({ id }, account);
    expect(own.received.at(-1)).toMatchObject({
      path: '/other',
      headers: { authorization: HEADERS.Authorization },
    });
  });

  it('is sent nowhere else by a run, whatever has become of the source in the database', async () => {
    const { id } = await ofUrl();
    await world.sql(
      `UPDATE schedules SET source = source || jsonb_build_object('url', $2::text) WHERE id = $1`,
      [id, other.url],
    );
    await world.sql(`UPDATE schedules SET secret_place = 'url ' || $2 WHERE id = $1`, [
      id,
      new URL(other.url).origin,
    ]);
    expect(await world.run({ id }, account)).toMatchObject({
      status: 'failed',
      failure: { code: 'secret_unreadable' },
    });
    expect(other.received).toEqual([]);
  });
});

describe('a schedule that changes subscribers', () => {
  const ACTIONS = ['blocklist_undeliverable', 'attributes'];
  const aKey = async (scopes: string[]) => {
    const answer = await world.app.post('/v1/keys', account.liveKey).send({ name: 'A program', scopes });
    return (answer.body as { key: string }).key;
  };
  const anAssistant = async () => {
    const oauth = new OAuthRequests(world.app, world.app.service.app.get(Config).publicUrl);
    return (await oauth.connected(account.liveKey)).tokens.access_token;
  };

  it.each<[string, () => Promise<string>]>([
    ['a key of the scope lists', () => aKey(['lists'])],
    ['a key of several scopes', () => aKey(['lists', 'read', 'verify'])],
    ['the token of an assistant', anAssistant],
  ])('is set up with a key that may do everything, and not with %s', async (_, credential) => {
    const key = await credential();
    const body = { name: 'A list', every: 'day', source: listmonk.source() };
    const post = (on_result: object) => world.app.post('/v1/schedules', key).send({ ...body, on_result });
    for (const action of ACTIONS) expectProblem(await post({ listmonk: action }), 403, 'scope_required');
    const created = await post({ listmonk: 'none' });
    expect(created.status).toBe(201);
    const { id } = created.body as { id: string };
    for (const action of ACTIONS)
      expectProblem(await patch(id, { on_result: { listmonk: action } }, key), 403, 'scope_required');
    await patch(id, { on_result: { listmonk: 'blocklist_undeliverable' } });
    const changes = [
      { source: listmonk.source() },
      { on_result: { listmonk: 'blocklist_undeliverable', max_blocklisted: { count: 1_000_000 } } },
    ];
    for (const change of changes) expectProblem(await patch(id, change, key), 403, 'scope_required');
    expect((await patch(id, { name: 'Another' }, key)).status).toBe(200);
    expect((await world.app.post(`/v1/schedules/${id}/run`, key)).status).toBe(202);
    expect((await patch(id, { on_result: { listmonk: 'none' } }, key)).status).toBe(200);
    await world.work();
  });
});

describe('the lists of a source', () => {
  it('must be there and be shown, when it is added and when it is changed', async () => {
    const missing = { name: 'A list', every: 'day', source: listmonk.source([1, 77]) };
    const answer = await world.app.post('/v1/schedules', account.liveKey).send(missing);
    expect(answer.status).toBe(400);
    expect((answer.body as Problem).errors).toMatchObject([
      { pointer: '/source/lists', message: expect.stringContaining('77') as unknown },
    ]);
    const { id } = await ofListmonk();
    // With the token that is stored.
    const changed = await patch(id, { source: { ...listmonkAt(listmonk.url), lists: [1, 78] } });
    expect(changed).toMatchObject({ status: 400, body: { errors: [{ pointer: '/source/lists' }] } });
    const hidden = { ...listmonk.source(), username: 'reader', token: 'token-of-reader' };
    const refused = await patch(id, { source: hidden });
    expect((refused.body as Problem).errors).toMatchObject([
      { pointer: '/source/lists', message: expect.stringContaining('does not show list 1') as unknown },
    ]);
  });

  it('that have gone fail a run with a sentence', async () => {
    const schedule = await ofListmonk();
    listmonk.people.lists.delete(1);
    expect(await world.run(schedule, account)).toMatchObject({
      status: 'failed',
      failure: { code: 'list_not_found', message: expect.stringMatching(/ids/) as unknown },
    });
  });

  it('may be those of a listmonk that does not answer at the moment', async () => {
    listmonk.instead = (_, response) => response.destroy() !== null;
    const { id } = await ofListmonk();
    expect(await world.run({ id }, account)).toMatchObject({ status: 'queued' });
  });
});
