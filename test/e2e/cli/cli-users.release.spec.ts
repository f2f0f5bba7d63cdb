import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsService, type NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { JoinedResponse } from '../../../src/modules/accounts/accounts/invites/joining.dto.js';
import type { SignupResponse } from '../../../src/modules/accounts/accounts/sign-up/signup.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, resultsOf, workOn } from '../../support/app/bulk.js';
import { auditActionsOf, undispatchedEventsOf, rowsOf } from '../../support/app/joins.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';
import { mailboxes, type SmtpBehaviour } from '../../support/smtp/smtp-behaviours.js';

const EX_USAGE = 64;
const PERSON = 'Jane@gone.mailworld';

interface Erased {
  users: string[];
  teams_left: string[];
  teams_deleted: string[];
  invites: number;
  facts: number;
  outcomes: number;
  deferred_checks: number;
  schedule_results: number;
  list_rows: number;
  running_jobs: string[];
}

/** Rejects the first request, so that one team's check is deferred and the next is not. */
function greylisting(): SmtpBehaviour {
  const base = mailboxes('jane');
  return {
    ...base,
    rcpt: (asking) =>
      asking.localPart.toLowerCase() === 'jane' && asking.times === 1
        ? '450 4.2.0 Greylisted'
        : base.rcpt(asking),
  };
}

describe('rcpt users', () => {
  let world: MailWorld;
  let app: TestApp;
  let person: NewAccount;
  let squatter: SignupResponse;
  let team: NewAccount;
  let other: NewAccount;
  let teamKey: string;
  let jobId: string;
  let waitingJobId: string;

  const rcpt = (...args: string[]) => runRcpt(args, { ...app.shared });
  const erase = async (...args: string[]): Promise<Erased> => {
    const { code, out, err } = await rcpt('users', 'erase', ...args, '--json');
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as Erased;
  };
  const invite = async (email: string, key: string, role = 'member') =>
    (await app.post('/v1/team/invites', key).send({ email, role })).body as { id: string; token: string };

  /** Tables with a row that contains the person's name, in any column; as a word, since ciphertext may contain it too. */
  const holding = async () => {
    const tables = await rowsOf<{ name: string }>(
      app,
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await rowsOf(app, `SELECT 1 FROM ${name} t WHERE t::text ~* '\\mjane\\M' LIMIT 1`);
      if (rows.length > 0) found.push(name);
    }
    return found;
  };

  beforeAll(async () => {
    const scene = { domain: 'gone.mailworld', story: 'greylists', servers: [greylisting()], expect: {} };
    world = await MailWorld.start({ scenes: [scene] });
    // An unreachable mail server; no worker runs.
    const mail = { INVITE_SMTP_URL: 'smtp://127.0.0.1:9', INVITE_FROM: 'rcpt@service.example' };
    app = await anApp({ ...world.env, ...mail, SIGNUP: 'open' });
    squatter = (await app.post('/signup').send({ email: PERSON.toLowerCase(), team_name: 'Squat' }))
      .body as SignupResponse;
    // Another unconfirmed user with the same address.
    person = await app.service.app.get(AccountsService).create(PERSON, 'Home', 'free');
    [team, other] = [await app.anAccount(), await app.anAccount()];
    const { token } = await invite(PERSON, team.liveKey, 'admin');
    const joined = await app.post('/v1/invites/accept', person.liveKey).send({ token });
    teamKey = (joined.body as JoinedResponse).key?.key ?? '';
    await invite('friend@example.com', teamKey);
    await invite(PERSON.toUpperCase(), other.liveKey);
    for (const key of [team.liveKey, other.liveKey]) await app.get(`/v1/verify?email=${PERSON}`, key);
    const csv = `email,name\n${PERSON},Jane Doe\nsomebody@[192.0.2.1],Somebody\njane@GONE.mailworld,J. Doe (jane)\n`;
    const job = app.post('/v1/verify/bulk', team.liveKey).set('Content-Type', 'text/csv').send(csv);
    jobId = ((await job).body as { id: string }).id;
    await workOn(app);
    waitingJobId = (await aBulkJob(app, other.liveKey, [PERSON, 'x'])).id;
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  it('list shows all users, newest first, with their teams and whether their address is confirmed', async () => {
    const { code, out } = await rcpt('users', 'list', '--json');
    expect(code).toBe(0);
    const users = JSON.parse(out) as { id: string; confirmed_at: string | null }[];
    expect(users.map(({ id }) => id)).toEqual([
      other.user.id,
      team.user.id,
      person.user.id,
      squatter.user.id,
    ]);
    expect(users.map(({ confirmed_at }) => confirmed_at === null)).toEqual([false, false, false, true]);
    expect(users[2]).toMatchObject({
      email: PERSON,
      teams: [
        { id: person.team.id, role: 'owner' },
        { id: team.team.id, role: 'admin' },
      ],
    });
    const words = (await rcpt('users', 'list')).out;
    expect(words).toContain(
      `${squatter.user.id}  unconfirmed  ${squatter.user.email}  ${squatter.team.id} (owner)`,
    );
  });

  it('teams list shows all teams, oldest first, from which a lost key is replaced', async () => {
    const { code, out } = await rcpt('teams', 'list', '--json');
    expect(code).toBe(0);
    const teams = JSON.parse(out) as { id: string; members: { user_id: string; role: string }[] }[];
    const ids = [squatter.team.id, person.team.id, team.team.id, other.team.id];
    expect(teams.map(({ id }) => id)).toEqual(ids);
    const lost = teams.find(({ id }) => id === other.team.id);
    expect(lost).toMatchObject({
      tier: 'unlimited',
      members: [{ user_id: other.user.id, email: other.user.email, role: 'owner' }],
    });
    const words = (await rcpt('teams', 'list')).out;
    expect(words).toContain(`${other.team.id}  unlimited  `);
    expect(words).toContain(`${other.user.email} (owner, ${other.user.id})`);
    const made = await rcpt(
      'keys',
      'create',
      '--team',
      other.team.id,
      '--name',
      'New',
      '--user',
      other.user.id,
      '--json',
    );
    const { key, id } = JSON.parse(made.out) as { key: string; id: string };
    expect((await app.get('/v1/me', key)).body).toMatchObject({ user: { id: other.user.id }, role: 'owner' });
    expect((await rcpt('keys', 'revoke', id)).code).toBe(0);
  });

  it('erase exits with 64 for an owner of teams, names the teams and the options, and deletes nothing', async () => {
    const before = await holding();
    const { code, out, err } = await rcpt('users', 'erase', PERSON);
    expect([code, out]).toEqual([EX_USAGE, '']);
    expect(err).toContain(`"Home" (${person.team.id})`);
    expect(err).toContain(`"Squat" (${squatter.team.id})`);
    expect(err).toContain('--delete-teams');
    expect(await holding()).toEqual(before);
    expect(before).toEqual(['bulk_results', 'bulk_rows', 'invites', 'users']);
    expect((await app.get('/v1/me', person.liveKey)).status).toBe(200);
  });

  it.each(['jane', '@', 'jane@', ''])('erase %j exits with 64: it is no address', async (email) => {
    const { code, err } = await rcpt('users', 'erase', email);
    expect([code, err]).toEqual([EX_USAGE, 'rcpt: EMAIL must be an address\n']);
  });

  it('erase deletes all data of the person, in every spelling, and reports the counts', async () => {
    const erased = await erase('JANE@gone.mailworld', '--delete-teams');
    expect({
      ...erased,
      users: [...erased.users].sort(),
      teams_deleted: [...erased.teams_deleted].sort(),
    }).toEqual({
      users: [person.user.id, squatter.user.id].sort(),
      teams_left: [team.team.id],
      teams_deleted: [person.team.id, squatter.team.id].sort(),
      // The accepted one, the pending one, and the one they made.
      invites: 3,
      facts: 2,
      outcomes: 0,
      deferred_checks: 1,
      schedule_results: 0,
      list_rows: 2,
      running_jobs: [waitingJobId],
    });
    expect(await holding()).toEqual(['bulk_rows']);
    expect(await rowsOf(app, 'SELECT 1 FROM outgoing_mails')).toEqual([]);
    app.clock.advance(5_000);
    for (const key of [person.liveKey, person.testKey, teamKey, squatter.key.key ?? '']) {
      expect((await app.get('/v1/me', key)).status).toBe(401);
    }
  });

  it('erase keeps the teams and list rows of others, and publishes the removal', async () => {
    expect((await app.get('/v1/team', team.liveKey)).body).toMatchObject({
      members: [{ user_id: team.user.id }],
    });
    const rows = await resultsOf(app, team.liveKey, jobId);
    expect(rows.map(({ email, ref, status }) => [email, ref, status])).toEqual([
      ['', null, null],
      ['somebody@[192.0.2.1]', { name: 'Somebody' }, 'undeliverable'],
      ['', null, null],
    ]);
    const csv = await app.get(`/v1/bulk-jobs/${jobId}/results`, team.liveKey).set('Accept', 'text/csv');
    expect(csv.status).toBe(200);
    expect(csv.text).not.toMatch(/jane/i);
    expect(await undispatchedEventsOf(app, team.team.id)).toContainEqual({
      type: 'member.removed',
      data: { user_id: person.user.id, member_id: expect.stringMatching(/^mem_/) },
    });
    expect((await auditActionsOf(app, team.team.id)).slice(-2)).toEqual(['member.removed', 'user.erased']);
  });

  it('erase repeated after running lists have ended leaves no data of the person in any table', async () => {
    await workOn(app);
    const again = await erase(PERSON);
    expect(again).toMatchObject({ users: [], invites: 0, facts: 1, list_rows: 1, running_jobs: [] });
    expect(await holding()).toEqual([]);
    expect(await erase(PERSON)).toMatchObject({ facts: 0, list_rows: 0 });
  });
});
