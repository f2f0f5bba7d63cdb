import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { AccountsService } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { joinTeam } from '../../support/app/joins.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

interface SignedUp {
  user: { id: string; email: string };
  team: { id: string; name: string; tier: string; role: string; members: object[] };
  key: { key: string; mode: string; user_id: string; team_id: string };
}

const HOUR_MS = 3_600_000;
let visitors = 0;
/** Each from its own address, unless one is given. */
const signUp = (app: TestApp, body: object, from = `198.51.100.${++visitors}`) =>
  app.post('/signup').set('X-Forwarded-For', from).send(body);
const query = (app: TestApp, statement: string, values: unknown[] = []) =>
  app.service.app.get(DataSource).query<Record<string, unknown>[]>(statement, values);
const teamsIn = async (app: TestApp) => Number((await query(app, 'SELECT count(*) AS n FROM teams'))[0]?.n);
const anInvite = async (app: TestApp, key: string, email: string, role = 'admin') =>
  ((await app.post('/v1/team/invites', key).send({ email, role })).body as { token: string }).token;

describe('open sign-up', () => {
  let app: TestApp;
  let answers: ResponseValidator;
  beforeAll(async () => {
    app = await anApp({ SIGNUP: 'open', DEFAULT_TIER: 'starter', TRUST_PROXY: '1' });
    answers = await ResponseValidator.published(app);
  });
  afterAll(() => app.stop());

  it('creates a user, a team on the default tier and a live key, shown once', async () => {
    const answer = await signUp(app, { email: 'Ada@example.com', team_name: 'Engines' });
    expect(answer.status).toBe(201);
    answers.expect('POST', '/signup', answer);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { user, team, key } = answer.body as SignedUp;
    expect(user.email).toBe('Ada@example.com');
    expect(team).toMatchObject({ name: 'Engines', tier: 'starter', role: 'owner' });
    expect(team.members).toHaveLength(1);
    expect(key).toMatchObject({ mode: 'live', user_id: user.id, team_id: team.id });
    const me = await app.get('/v1/me', key.key);
    expect(me.body).toMatchObject({ user: { id: user.id }, team: { id: team.id }, role: 'owner' });
    expect(me.text).not.toContain(key.key);
  });

  it('refuses the address of a confirmed member in any letter case, and leaves no data', async () => {
    const { user } = await app.anAccount();
    const before = await teamsIn(app);
    for (const email of [user.email, user.email.toUpperCase()]) {
      const answer = await signUp(app, { email, team_name: 'Second' });
      expectProblem(answer, 409, 'signup_refused');
      answers.expect('POST', '/signup', answer);
      expect(answer.text.toLowerCase()).not.toContain(user.email);
    }
    expect(await teamsIn(app)).toBe(before);
  });

  it('does not prove an address: each sign-up with it is a separate user with a separate team', async () => {
    const all = await Promise.all(
      ['race@example.com', 'Race@example.com', 'RACE@EXAMPLE.COM'].map((email) =>
        signUp(app, { email, team_name: 'One' }),
      ),
    );
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201]);
    const people = all.map(({ body }) => body as SignedUp);
    expect(new Set(people.map(({ user }) => user.id)).size).toBe(3);
    expect(new Set(people.map(({ team }) => team.id)).size).toBe(3);
  });

  it('does not link an unconfirmed address: the operator’s team gets another user', async () => {
    const email = 'boss@squatted.example';
    const squatter = (await signUp(app, { email, team_name: 'Squat' })).body as SignedUp;
    const accounts = app.service.app.get(AccountsService);
    const made = await accounts.create(email, 'The real team', 'unlimited');
    expect(made.user.id).not.toBe(squatter.user.id);
    const members = await query(app, 'SELECT user_id FROM members WHERE team_id = $1', [made.team.id]);
    expect(members).toEqual([{ user_id: made.user.id }]);
    // The operator's confirmation is kept: a second call finds the same user.
    expect((await accounts.create(email.toUpperCase(), 'Another', 'free')).user.id).toBe(made.user.id);
    expect((await app.get('/v1/me', squatter.key.key)).body).toMatchObject({
      team: { id: squatter.team.id },
    });
  });

  it('lets the operator create the first account of an address twice concurrently: one user, two teams', async () => {
    const accounts = app.service.app.get(AccountsService);
    const made = await Promise.all(
      ['twice@example.com', 'TWICE@example.com'].map((email, n) => accounts.create(email, `T${n}`, 'free')),
    );
    expect(new Set(made.map(({ user }) => user.id)).size).toBe(1);
    expect(new Set(made.map(({ team }) => team.id)).size).toBe(2);
  });

  it('does not block invites to an address that a user of another team claims', async () => {
    const { liveKey } = await app.anAccount();
    const email = 'wanted@squatted.example';
    expect((await signUp(app, { email, team_name: 'Squat' })).status).toBe(201);
    const { status } = await app.post('/v1/team/invites', liveKey).send({ email });
    expect(status).toBe(201);
  });

  it('creates a new user for a confirmed one who has left all teams', async () => {
    const owner = await app.anAccount();
    const member = await joinTeam(app, owner);
    await app.delete('/v1/team', member.account.liveKey);
    await app.delete(`/v1/team/members/${member.id}`, owner.liveKey);
    const again = await signUp(app, { email: member.email, team_name: 'Back' });
    expect(again.status).toBe(201);
    expect((again.body as SignedUp).user.id).not.toBe(member.userId);
  });

  it.each([
    [{}, ['/email invalid_type']],
    [{ email: 'eve@example.com' }, [' invalid_value']],
    [{ email: 'eve@example.com', team_name: 'T', invite_token: 'x' }, [' invalid_value']],
    [{ email: 'eve', team_name: 'T' }, ['/email invalid_format']],
    [{ email: 'eve@example.com\r\nBcc: x@y.z', team_name: 'T' }, ['/email invalid_format']],
    [{ email: `${'e'.repeat(250)}@x.com`, team_name: 'T' }, ['/email too_big']],
    [{ email: 'eve@example.com', team_name: ' ' }, ['/team_name too_small']],
    [{ email: 'eve@example.com', team_name: 'x'.repeat(101) }, ['/team_name too_big']],
    [{ email: 'eve@example.com', invite_token: '' }, ['/invite_token too_small']],
    [{ email: 'eve@example.com', team_name: 'T', tier: 'unlimited' }, ['/tier unknown_member']],
    [{ email: 'eve@example.com', team_name: 'T', role: 'owner' }, ['/role unknown_member']],
  ])('%j is 400: %j', async (body, complaints) => {
    const problem = expectProblem(await signUp(app, body), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual(complaints);
  });

  it('is audited and logged, without the address or the key', async () => {
    const { user, key } = (await signUp(app, { email: 'quiet@example.com', team_name: 'Q' }))
      .body as SignedUp;
    const rows = await query(app, 'SELECT a::text AS row, action, ip FROM audit_log a WHERE target_id = $1', [
      user.id,
    ]);
    expect(rows).toMatchObject([{ action: 'account.signed_up', ip: `198.51.100.${visitors}` }]);
    const written = JSON.stringify(rows) + app.logged();
    expect(written).not.toContain('quiet@');
    expect(written).not.toContain(key.key);
  });

  it('allows 10 attempts per hour from one address, including failed ones, with Retry-After', async () => {
    const from = '203.0.113.7';
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await signUp(app, { email: 'none' }, from)).status).toBe(400);
    }
    const answer = await signUp(app, { email: 'late@example.com', team_name: 'T' }, from);
    expectProblem(answer, 429, 'rate_limited');
    answers.expect('POST', '/signup', answer);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_500);
    expect((await signUp(app, { email: 'none' })).status).toBe(400);
    app.clock.advance(HOUR_MS);
    expect((await signUp(app, { email: 'late@example.com', team_name: 'T' }, from)).status).toBe(201);
  });

  it('uses the forwarded address of the trusted proxy only', async () => {
    for (let attempt = 0; attempt < 10; attempt++) {
      await signUp(app, { email: 'none' }, `192.0.2.${attempt}, 203.0.113.99`);
    }
    expectProblem(await signUp(app, { email: 'none' }, '203.0.113.99'), 429, 'rate_limited');
  });
});

describe('closed sign-up', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await anApp({ SIGNUP_PER_HOUR: '40' });
  });
  afterAll(() => app.stop());

  it('refuses a sign-up with a new team, and says that sign-up is closed', async () => {
    const before = await teamsIn(app);
    const answer = await signUp(app, { email: 'ada@example.com', team_name: 'Engines' });
    expect(expectProblem(answer, 404, 'not_found').detail).toMatch(/^Sign-up is closed here\./);
    expect(await teamsIn(app)).toBe(before);
  });

  it('admits an invited user, into that team and with that role', async () => {
    const { liveKey, team } = await app.anAccount();
    const invite_token = await anInvite(app, liveKey, 'bob@example.com');
    const answer = await signUp(app, { email: 'bob.private@example.com', invite_token });
    expect(answer.status).toBe(201);
    const signedUp = answer.body as SignedUp;
    expect(signedUp.team).toMatchObject({ id: team.id, role: 'admin' });
    expect((await app.get('/v1/me', signedUp.key.key)).body).toMatchObject({
      role: 'admin',
      team: { id: team.id },
    });
    expectProblem(await signUp(app, { email: 'carol@example.com', invite_token }), 404, 'invalid_invite');
  });

  it('admits one of many with one token, and keeps no user of the others', async () => {
    const { liveKey, team } = await app.anAccount();
    const invite_token = await anInvite(app, liveKey, 'dora@example.com', 'member');
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) => signUp(app, { email: `dora${n}@example.com`, invite_token })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 404)]);
    const users = await query(app, "SELECT id FROM users WHERE email LIKE 'dora%'");
    const members = await query(app, 'SELECT id FROM members WHERE team_id = $1', [team.id]);
    expect([users.length, members.length]).toEqual([1, 2]);
  });

  it('waits for concurrent changes of the team’s keys', async () => {
    const { liveKey } = await app.anAccount();
    const tokens = await Promise.all(
      Array.from({ length: 6 }, (_, n) => anInvite(app, liveKey, `gil${n}@example.com`)),
    );
    const makeKey = () => app.post('/v1/keys', liveKey).send({ name: 'k' });
    const old = await Promise.all(Array.from({ length: 6 }, makeKey));
    const all = await Promise.all([
      ...tokens.map((invite_token, n) => signUp(app, { email: `gil${n}@example.com`, invite_token })),
      ...old.map(({ body }) => app.post(`/v1/keys/${(body as { id: string }).id}/rotate`, liveKey)),
      ...Array.from({ length: 12 }, makeKey),
    ]);
    expect(all.filter(({ status }) => status !== 201)).toEqual([]);
  });

  it('does not reveal without a valid token whether an address is known', async () => {
    const { user } = await app.anAccount();
    const invite_token = 'rcpt_invite_0000000000000000000000';
    const known = await signUp(app, { email: user.email, invite_token });
    const unknown = await signUp(app, { email: 'nobody-yet@example.com', invite_token });
    expectProblem(known, 404, 'invalid_invite');
    expect({ ...known.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });

  it('keeps the invite valid when the address is refused', async () => {
    const { liveKey, user } = await app.anAccount();
    const invite_token = await anInvite(app, liveKey, 'fay@example.com');
    expectProblem(await signUp(app, { email: user.email, invite_token }), 409, 'signup_refused');
    expect((await signUp(app, { email: 'fay@example.com', invite_token })).status).toBe(201);
  });

  it('ignores forwarded addresses without TRUST_PROXY', async () => {
    let last = 0;
    for (let attempt = 0; attempt < 41 && last !== 429; attempt++) last = (await signUp(app, {})).status;
    expect(last).toBe(429);
  });
});

it('a DEFAULT_TIER that is not in the table stops the start, with the variable’s name', async () => {
  await expect(anApp({ DEFAULT_TIER: 'gold' })).rejects.toThrow(
    /DEFAULT_TIER must be one of suspended, free/,
  );
});
