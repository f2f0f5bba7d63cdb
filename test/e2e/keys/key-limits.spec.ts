import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SignInResponse } from '../../../src/modules/accounts/accounts/sign-in/sign-in.dto.js';
import { SignInService } from '../../../src/modules/accounts/accounts/sign-in/sign-in.service.js';
import { PostgresMailQueue } from '../../../src/platform/mail/postgres-mail-queue.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { aKeyOf, joinTeam, rowsOf } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';
import { MailSink } from '../../support/mail/mail-sink.js';

describe('the keys of a team', () => {
  let sink: MailSink;
  let app: TestApp;
  let team: TestTeam;

  beforeAll(async () => {
    sink = await MailSink.start();
    app = await anApp({
      INVITE_SMTP_URL: sink.url,
      INVITE_FROM: 'rcpt@service.example',
      SIGNUP_PER_HOUR: '1000',
    });
  });
  beforeEach(async () => {
    team = await aTeam(app);
  });
  afterAll(async () => {
    await app.stop();
    await sink.close();
  });

  const create = (key: string, body: object = {}) => app.post('/v1/keys', key).send({ name: 'k', ...body });
  const signIn = async (email: string) => {
    await app.post('/signin').send({ email });
    await app.service.app.get(SignInService).sendRequested();
    await app.service.app.get(PostgresMailQueue).sendDue();
    const token = /rcpt_signin_[\w-]{43}/.exec(sink.lastText())?.[0];
    return app.post('/signin/confirm').send({ token, team_id: team.id });
  };
  /** Others of this user, as the API makes them. */
  const plant = (userId: string, count: number) =>
    rowsOf(
      app,
      `INSERT INTO api_keys (id, team_id, user_id, name, mode, digest, last4, created_at)
       SELECT 'key_' || gen_random_uuid(), $1, $2, 'k', 'live', sha256(gen_random_uuid()::text::bytea), '0000', now()
         FROM generate_series(1, $3)`,
      [team.id, userId, count],
    );
  const createUntilRefused = async (key: string, body: object = {}) => {
    for (let made = 0; ; made++) {
      const answer = await create(key, body);
      if (answer.status === 201) continue;
      return { made, problem: expectProblem(answer, 409, 'limit_reached') };
    }
  };

  it('of one member are limited, so that 20 are at most theirs', async () => {
    const { made, problem } = await createUntilRefused(team.member);
    expect([made, problem]).toEqual([19, expect.objectContaining({ what: 'keys_of_user', limit: 20 })]);
    expect((await create(team.admin)).status).toBe(201);
  });

  it('cannot be used up by members together: the owner and admins still create, rotate and let people join', async () => {
    for (let n = 0; n < 4; n++) await plant((await joinTeam(app, team.account)).userId, 18);
    expect((await createUntilRefused(team.member)).problem).toMatchObject({
      what: 'keys_by_members',
      limit: 80,
    });
    expect((await create(team.owner)).status).toBe(201);
    expect((await create(team.admin, { service: true })).status).toBe(201);
    const made = (await create(team.owner)).body as { id: string };
    expect(
      (await app.post(`/v1/keys/${made.id}/rotate`, team.owner).send({ grace_seconds: 60 })).status,
    ).toBe(201);
    expect((await joinTeam(app, team.account)).key).not.toBe('');
  });

  it('do not prevent a sign-in, not even of an owner whose team has all of its keys', async () => {
    await plant(team.account.user.id, 90);
    await createUntilRefused(team.owner);
    const answer = await signIn(team.account.user.email);
    expect(answer.status).toBe(200);
    const { key } = answer.body as SignInResponse & { key: { id: string; key: string } };
    expect((await app.get('/v1/me', key.key)).status).toBe(200);
    expect((await app.post(`/v1/keys/${key.id}/rotate`, key.key).send({})).status).toBe(201);
  });

  it('of sign-ins are ten per user: the oldest makes place for the next', async () => {
    const keys: string[] = [];
    for (let n = 0; n < 11; n++) {
      app.clock.advance(3_600_001);
      const { key } = (await signIn(team.account.user.email)).body as { key: { key: string } };
      keys.push(key.key);
    }
    const works = await Promise.all(keys.map(async (key) => (await app.get('/v1/me', key)).status));
    expect(works).toEqual([401, ...Array.from({ length: 10 }, () => 200)]);
  });

  it('of a member are exactly 20, under concurrent requests too', async () => {
    const all = await Promise.all(Array.from({ length: 30 }, () => create(team.member)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(19);
    expect(await aKeyOf(app, team.account, null)).toMatch(/^rcpt_live_/);
  });
});
