import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { OAuthRecordRepository } from '../../../src/modules/identity/oauth/domain/oauth-record.repository.js';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { PUBLIC_URL, REDIRECT } from '../../support/oauth/assistant.js';
import { OAuthRequests, type Answer, type Attempt, type Tokens } from '../../support/oauth/oauth-requests.js';

const GRACE_MS = 30_000;

let app: TestApp;
/** Another process on the same database. */
let other: TestApp;
let team: TestTeam;
let oauth: OAuthRequests;
let elsewhere: OAuthRequests;
beforeAll(async () => {
  app = await anApp({ PUBLIC_URL, TRUST_PROXY: '1' });
  other = await anApp({ ...app.shared, PUBLIC_URL, TRUST_PROXY: '1' });
  app.clock.stop();
  other.clock.stop();
  team = await aTeam(app);
  oauth = new OAuthRequests(app);
  elsewhere = new OAuthRequests(other);
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});

const usage = async (token: string) => (await app.get('/v1/usage', token)).status;
const errorOf = ({ body }: { body: unknown }) => (body as { error?: string }).error;
const refreshed = async (from: OAuthRequests, attempt: Attempt, token: string) => {
  const { status, body } = (await from.refresh(attempt, token)) as Answer;
  return { status, error: errorOf({ body }), ...(body as Tokens) };
};
const advance = (ms: number) => {
  app.clock.advance(ms);
  other.clock.advance(ms);
};

describe('a refresh token that is sent twice', () => {
  it('gives the same successor within 30 s, with an access token for each', async () => {
    const { attempt, tokens } = await oauth.connected(team.member);
    const first = await refreshed(oauth, attempt, tokens.refresh_token);
    advance(GRACE_MS - 1);
    const again = await refreshed(oauth, attempt, tokens.refresh_token);
    expect([again.status, again.refresh_token]).toEqual([200, first.refresh_token]);
    expect(first.refresh_token).not.toBe(tokens.refresh_token);
    expect([await usage(first.access_token), await usage(again.access_token)]).toEqual([200, 200]);
    expect((await refreshed(oauth, attempt, again.refresh_token)).status).toBe(200);
  });

  it('gives the same successor in every process, also at the same time', async () => {
    const { attempt, tokens } = await oauth.connected(team.member);
    const answers = await Promise.all(
      [oauth, elsewhere, oauth, elsewhere, elsewhere, oauth].map((from) =>
        refreshed(from, attempt, tokens.refresh_token),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map(({ refresh_token: token }) => token)).size).toBe(1);
    const next = answers[0]?.refresh_token ?? '';
    expect((await refreshed(elsewhere, attempt, next)).status).toBe(200);
  });

  it('gives the same successor after a restart, also with another SECRET_KEY in front', async () => {
    const { attempt, tokens } = await oauth.connected(team.member);
    const first = await refreshed(oauth, attempt, tokens.refresh_token);
    const SECRET_KEY = `${randomBytes(32).toString('base64')},${app.shared.SECRET_KEY}`;
    const restarted = await anApp({ ...app.shared, SECRET_KEY, PUBLIC_URL, TRUST_PROXY: '1' });
    restarted.clock.stop();
    restarted.clock.advance(app.clock.now().getTime() - restarted.clock.now().getTime() + 1_000);
    try {
      const again = await refreshed(new OAuthRequests(restarted), attempt, tokens.refresh_token);
      expect(again.refresh_token).toBe(first.refresh_token);
    } finally {
      await restarted.stop();
    }
  });

  it.each([
    ['more than 30 s after its first use', async () => advance(GRACE_MS + 1)],
    [
      'after its successor was used',
      async (attempt: Attempt, next: string) => void (await refreshed(oauth, attempt, next)),
    ],
  ])('%s ends the grant, its tokens and its key', async (_, before) => {
    const { attempt, tokens } = await oauth.connected(team.member);
    const next = await refreshed(oauth, attempt, tokens.refresh_token);
    await before(attempt, next.refresh_token);
    expect((await refreshed(elsewhere, attempt, tokens.refresh_token)).error).toBe('invalid_grant');
    other.clock.advance(5_000);
    expect((await other.get('/v1/usage', next.access_token)).status).toBe(401);
    expect((await refreshed(oauth, attempt, next.refresh_token)).error).toBe('invalid_grant');
    other.clock.advance(-5_000);
  });

  it('cannot be told from its successor by who has the database only', async () => {
    const { attempt, tokens } = await oauth.connected(team.member);
    const { refresh_token: next } = await refreshed(oauth, attempt, tokens.refresh_token);
    const rows: unknown = await app.service.app.get(DataSource).query('SELECT * FROM oauth_records');
    expect(JSON.stringify(rows)).not.toContain(next);
    expect(next).toMatch(/^[\w-]{43}$/);
  });
});

/** Requests that are refused, and the error of each. */
const REFUSED: readonly [string, Record<string, string>, string][] = [
  ['the resource of another server', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ['a resource that is no URL', { resource: 'mcp' }, 'invalid_target'],
  ['another client', { client_id: 'nobody' }, 'invalid_client'],
  ['no client', { client_id: '' }, 'invalid_request'],
  ['another grant', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ['no grant', { grant_type: '' }, 'invalid_request'],
  ['a long scope', { scope: 'x'.repeat(1_001) }, 'invalid_request'],
];

describe('a request to the token endpoint that is refused changes nothing', () => {
  it.each<[string, Record<string, string>, string]>([
    ...REFUSED,
    ['a scope that the user has not allowed', { scope: 'usage verify' }, 'invalid_scope'],
  ])('a refresh token works after %s', async (_, changes, error) => {
    const { attempt, tokens } = await oauth.connected(team.member, { scopes: ['usage'] });
    expect(errorOf(await oauth.refresh(attempt, tokens.refresh_token, changes))).toBe(error);
    advance(GRACE_MS + 1);
    expect((await oauth.refresh(attempt, tokens.refresh_token)).status).toBe(200);
  });

  it.each<[string, Record<string, string>, string]>([
    ...REFUSED,
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['another address', { redirect_uri: `${REDIRECT}/other` }, 'invalid_grant'],
  ])('a code works after %s', async (_, changes, error) => {
    const attempt = await oauth.attempt();
    const code = await oauth.allowed(attempt, team.member);
    expect(errorOf(await oauth.exchange(attempt, code, changes))).toBe(error);
    expect((await oauth.exchange(attempt, code)).status).toBe(200);
  });

  it('both work after a body that is malformed, too large or no form, and after the limit of the network', async () => {
    const { attempt, tokens } = await oauth.connected(team.member);
    const asked = await oauth.attempt();
    const code = await oauth.allowed(asked, team.member);
    const fields = (more: string) =>
      `grant_type=refresh_token&client_id=${attempt.clientId}&refresh_token=${tokens.refresh_token}${more}`;
    const send = (body: string, type = 'application/x-www-form-urlencoded', from = oauth.newNetwork()) =>
      app.post('/oauth/token').set('X-Forwarded-For', from).set('Content-Type', type).send(body);
    const statuses = [
      await send(fields('&scope=usage&scope=verify')),
      await send(fields(`&refresh_token=${tokens.refresh_token}`)),
      await send(fields(`&x=${'x'.repeat(40_000)}`)),
      await send(fields(''), 'text/plain'),
      await send(JSON.stringify({ grant_type: 'refresh_token' }), 'application/json'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 400, 413, 400, 400]);
    const network = oauth.newNetwork();
    for (let n = 0; n < 120; n++) await send('', undefined, network);
    expect((await send(fields(''), undefined, network)).status).toBe(429);
    expect((await oauth.refresh(attempt, tokens.refresh_token)).status).toBe(200);
    expect((await oauth.exchange(asked, code)).status).toBe(200);
  });

  it.each(['AccessToken', 'RefreshToken'] as const)(
    'both work after the database was lost while the %s was stored',
    async (model) => {
      const { attempt, tokens } = await oauth.connected(team.member);
      const asked = await oauth.attempt();
      const code = await oauth.allowed(asked, team.member);
      const records = app.service.app.get(OAuthRecordRepository, { strict: false });
      const save = records.save.bind(records);
      const lost = jest.spyOn(records, 'save').mockImplementation(async (...record) => {
        if (record[0] === model) throw Object.assign(new Error('gone'), { code: '57P01' });
        return save(...record);
      });
      const answers = [await oauth.refresh(attempt, tokens.refresh_token), await oauth.exchange(asked, code)];
      lost.mockRestore();
      expect(
        answers.map((answer) => [answer.status, errorOf(answer), answer.headers['retry-after']]),
      ).toEqual(Array(2).fill([503, 'temporarily_unavailable', '1']));
      advance(GRACE_MS + 1);
      expect((await oauth.refresh(attempt, tokens.refresh_token)).status).toBe(200);
      advance(-GRACE_MS - 1);
      expect((await oauth.exchange(asked, code)).status).toBe(200);
    },
  );
});
