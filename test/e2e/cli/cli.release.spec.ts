import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { anApp, type TestApp } from '../../support/app/app.js';
import { anEmptyDatabase } from '../../support/database/fresh-database.js';
import { runRcpt, type CommandResult } from '../../support/processes/run-rcpt.js';

interface Account {
  user: { id: string };
  team: { id: string; tier: string };
  live_key: string;
  test_key: string;
}
interface Key {
  id: string;
  key?: string;
  mode: string;
  user_id: string | null;
  revoked_at: string | null;
}
interface AuditLine {
  id: string;
  action: string;
  subject: { id: string };
  actor: { user_id: string | null; key_id: string | null; address: string | null };
}

const EX_USAGE = 64;
const CREATE = ['account', 'create', '--email', 'ops@example.com', '--json'];

describe('rcpt, beside a running service', () => {
  let app: TestApp;
  let account: Account;

  const rcpt = (...args: string[]): Promise<CommandResult> => runRcpt(args, app.shared);

  async function answerOf<T>(...args: string[]): Promise<T> {
    const { code, out, err } = await rcpt(...args, '--json');
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as T;
  }

  const me = async (key: string | undefined) => app.get('/v1/me', key ?? '');
  const listed = () => answerOf<Key[]>('keys', 'list', '--team', account.team.id);

  beforeAll(async () => {
    app = await anApp();
    const first = await rcpt(...CREATE);
    expect([first.code, first.err]).toEqual([0, '']);
    account = JSON.parse(first.out) as Account;
  });
  afterAll(() => app.stop());

  it('account create makes an unlimited team and two valid keys', async () => {
    expect(account.team.tier).toBe('unlimited');
    expect((await me(account.live_key)).body).toMatchObject({ role: 'owner', team: { id: account.team.id } });
    expect((await me(account.test_key)).body).toMatchObject({ key: { mode: 'test' } });
  });

  it('audit shows who changed what, newest first, with filters, and says when there is more', async () => {
    const { team, user } = await app.anAccount();
    const key = await answerOf<Key>('keys', 'create', '--team', team.id, '--name', 'ci', '--user', user.id);
    await app.post('/v1/blocklist', key.key).set('X-Request-Id', 'r-1').send({ domain: 'blocked.example' });
    await answerOf('keys', 'revoke', key.id);
    const audit = (...args: string[]) => answerOf<AuditLine[]>('audit', '--team', team.id, ...args);

    const entries = await audit();
    const actions = ['key.revoked', 'blocklist.added', 'key.created'];
    expect(entries.slice(0, 3).map(({ action }) => action)).toEqual(actions);
    expect(entries[1]).toMatchObject({
      id: expect.stringMatching(/^aud_/),
      at: expect.stringMatching(/Z$/),
      team_id: team.id,
      actor: { user_id: user.id, key_id: key.id, address: '127.0.0.1' },
      subject: { type: 'blocklist_entry', id: expect.stringMatching(/^blk_/) },
      changes: { domain: 'blocked.example' },
      request_id: 'r-1',
    });
    expect(entries[0]?.actor).toEqual({ user_id: null, key_id: null, address: null });
    for (const actor of [key.id, user.id])
      expect((await audit('--actor', actor)).map(({ action }) => action)).toEqual(['blocklist.added']);
    expect(await audit('--action', 'key.revoked')).toEqual(entries.slice(0, 1));
    expect(await audit('--to', '2020-01-31')).toEqual([]);
    expect(await audit('--from', '2020-01-31T12:00:00Z')).toEqual(entries);

    const { code, out, err } = await rcpt('audit', '--team', team.id, '--limit', '2');
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, 2]);
    const { id } = entries[1]?.subject ?? {};
    expect(out).toContain(`blocklist.added  ${id}  by ${user.id} ${key.id} 127.0.0.1 r-1  {"domain"`);
    expect(err).toBe('There are older entries than these 2: use --to or a higher --limit.\n');
    expect((await rcpt('audit', '--team', 'team_00000000000000000000000000')).out).toBe('no entries\n');
  });

  it.each([
    [['--actor', 'jane'], '--actor must be the id of a user or a key: usr_… or key_…'],
    [['--team', 'mine'], '--team must be the id of a team: team_…'],
    [['--from', '2026-02-31'], 'It must be a time in UTC, such as 2026-01-31 or 2026-01-31T12:00:00Z.'],
    [['--action', 'created'], 'It must be an action, such as key.created.'],
    [['--limit', '10001'], 'It must be a number from 1 to 10000.'],
  ])('audit %j exits with 64 and says what to send', async (args, sentence) => {
    const { code, out, err } = await rcpt('audit', ...args);
    expect([code, out]).toEqual([EX_USAGE, '']);
    expect(err).toContain(sentence);
  });

  it('keys create makes a service key or a member’s key, of either mode', async () => {
    const service = await answerOf<Key>('keys', 'create', '--team', account.team.id, '--name', 'ci');
    expect((await me(service.key)).body).toMatchObject({ user: null, role: 'member', key: { mode: 'live' } });
    const own = ['--team', account.team.id, '--name', 'mine', '--user', account.user.id, '--mode', 'test'];
    const key = await answerOf<Key>('keys', 'create', ...own);
    expect((await me(key.key)).body).toMatchObject({ role: 'owner', key: { mode: 'test', name: 'mine' } });
  });

  it('keys create makes a publishable key, which pages of its origins can use', async () => {
    const origins = ['--origin', 'HTTPS://Shop.example/', 'http://localhost:5173'];
    const of = ['--team', account.team.id, '--name', 'form', '--mode', 'test', '--publishable', ...origins];
    const created = await answerOf<Key>('keys', 'create', ...of, '--origin', 'https://shop.example');
    expect(created).toMatchObject({
      key: expect.stringMatching(/^rcpt_pub_/),
      kind: 'publishable',
      service: true,
      allowed_origins: ['https://shop.example', 'http://localhost:5173'],
      per_address: { per_minute: 10, per_day: 100 },
      per_day: 1_000,
    });
    const verify = (origin: string) =>
      app.get('/v1/verify?email=jane@example.com', created.key).set('Origin', origin);
    expect((await verify('https://shop.example')).body).toMatchObject({ status: 'deliverable' });
    expect((await verify('https://other.example')).status).toBe(403);
    const { out } = await rcpt('keys', 'create', ...of);
    expect(out).toMatch(/^key +rcpt_pub_\w+\n.*\norigin https:\/\/shop.example\norigin http:.*\nThe key/);
  });

  it('keys create makes a key that is limited to scopes and networks, and keys list shows the limits', async () => {
    const limits = ['--scope', 'read', 'verify', '--network', '127.0.0.0/8', '2001:DB8:0::/32'];
    const of = ['--team', account.team.id, '--name', 'limited', ...limits];
    const created = await answerOf<Key>('keys', 'create', ...of);
    const allowed_cidrs = ['127.0.0.0/8', '2001:db8::/32'];
    expect(created).toMatchObject({ scopes: ['verify', 'read'], allowed_cidrs });
    expect((await app.get('/v1/usage', created.key)).status).toBe(200);
    expect((await app.get('/v1/team', created.key)).body).toMatchObject({ code: 'scope_required' });
    const { out } = await rcpt('keys', 'create', ...of);
    expect(out).toMatch(
      /\nscope {2}verify\nscope {2}read\nfrom {3}127\.0\.0\.0\/8\nfrom {3}2001:db8::\/32\nThe key/,
    );
    const list = (await rcpt('keys', 'list', '--team', account.team.id)).out.split('\n');
    const line = list.find((text) => text.startsWith(created.id));
    expect(line).toMatch(/ good {2}scopes verify,read {2}from 127\.0\.0\.0\/8,2001:db8::\/32 {2}limited$/);
    expect(list.filter((text) => text.includes('scopes'))).toHaveLength(2);
  });

  it('keys list shows every key of the team, masked', async () => {
    const keys = await listed();
    const api = (await app.get('/v1/keys?limit=100', account.live_key)).body as { data: Key[] };
    expect(keys.map(({ id }) => id)).toEqual(api.data.map(({ id }) => id));
    const { out } = await rcpt('keys', 'list', '--team', account.team.id);
    expect(out.trim().split('\n')).toHaveLength(keys.length);
    expect(out + JSON.stringify(keys)).not.toContain(account.live_key);
  });

  it('keys revoke revokes a key, also for a running service within 5 s', async () => {
    const { id, key } = await answerOf<Key>('keys', 'create', '--team', account.team.id, '--name', 'gone');
    expect((await me(key)).status).toBe(200);
    const revoked = await answerOf<Key>('keys', 'revoke', id);
    expect(revoked).toMatchObject({ id, revoked_at: expect.stringMatching(/Z$/) });
    app.clock.advance(5_000);
    expect((await me(key)).status).toBe(401);
    // Written in the background, so it may have changed.
    const last_used_at: unknown = expect.anything();
    expect({ ...(await answerOf<Key>('keys', 'revoke', id)), last_used_at }).toEqual({
      ...revoked,
      last_used_at,
    });
  });

  it('tier set changes the tier, also for a running service within 5 s', async () => {
    const set = await answerOf('tier', 'set', account.team.id, 'free');
    expect(set).toEqual({ team_id: account.team.id, base_tier: 'free' });
    app.clock.advance(5_000);
    expect((await me(account.live_key)).body).toMatchObject({ team: { tier: 'free' } });
  });

  it('prints what it did, and a new key once', async () => {
    const { code, out } = await rcpt('keys', 'create', '--team', account.team.id, '--name', 'words');
    expect(code).toBe(0);
    expect(out.match(/rcpt_live_[0-9A-Za-z]{38}/g)).toHaveLength(1);
    expect(out).toContain('never again');
  });

  it.each([
    ['keys create --team TEAM --name x --user usr_none', /no such member/],
    ['keys create --team TEAM --name x --mode prod', /live, test/],
    ['keys create --team TEAM --name x --publishable', /needs 1 to 20 origins/],
    [`keys create --team TEAM --name x --publishable --origin${' https://a.test'.repeat(21)}`, /1 to 20/],
    ['keys create --team TEAM --name x --origin https://a.test', /only a key with --publishable/],
    ['keys create --team TEAM --name x --publishable --origin https://a.test/page', /must be https/],
    ['keys create --team TEAM --name x --publishable --origin http://a.test', /must be https/],
    ['keys create --team TEAM --name x --scope write', /verify, lists, read/],
    ['keys create --team TEAM --name x --network 192.0.2.0', /such as 192\.0\.2\.0\/24/],
    [
      'keys create --team TEAM --name x --network 192.0.2.7/24',
      /network of this address is 192\.0\.2\.0\/24/,
    ],
    [`keys create --team TEAM --name x --network${' 192.0.2.0/24'.repeat(21)}`, /at most 20 networks/],
    ['keys create --team TEAM --name x --publishable --origin https://a.test --scope verify', /no scopes/],
    ['tier set TEAM gold', /one of suspended, free/],
  ])('%s exits with 64 and a message', async (command, sentence) => {
    const { code, out, err } = await rcpt(...command.replace('TEAM', account.team.id).split(' '));
    expect([code, out]).toEqual([EX_USAGE, '']);
    expect(err.toLowerCase()).toMatch(sentence);
    expect(err).not.toMatch(/\n\s+at /);
  });
});

it('rcpt with a database that does not exist exits with 78, and names DATABASE_URL and the database', async () => {
  const app = await anApp();
  const url = new URL(app.shared.DATABASE_URL);
  url.pathname = '/not_there';
  const env = { ...app.shared, DATABASE_URL: url.href };
  const { code, err } = await runRcpt(['keys', 'list', '--team', 'team_x'], env);
  expect(code).toBe(78);
  expect(err).toMatch(/^rcpt: DATABASE_URL: .*"not_there" does not exist\. Create the database.*\n$/);
  await app.stop();
});

describe('rcpt, on a database that lacks migrations', () => {
  let database: Awaited<ReturnType<typeof anEmptyDatabase>>;
  let env: Record<string, string>;

  beforeEach(async () => {
    database = await anEmptyDatabase();
    env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('base64') };
  });
  afterEach(() => database.drop());

  const tables = async (): Promise<number> => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ tables: number }>(
      `SELECT count(*)::int AS tables FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
    );
    await client.end();
    return rows[0]!.tables;
  };

  it.each([
    'keys list --team team_x',
    'keys create --team team_x --name x',
    'keys revoke key_x',
    'tier set team_x free',
    'disposable pending',
    'disposable add example.com',
    'disposable merge',
    'disposable show example.com',
  ])('%s does not run them, and names the command that does', async (command) => {
    const { code, out, err } = await runRcpt(command.split(' '), env);
    expect([code, out]).toEqual([70, '']);
    expect(err).toMatch(/^rcpt: the database lacks migrations; run `npx --no rcpt migrate`.*\n$/);
    expect(await tables()).toBe(0);
  });

  it.each([['migrate'], CREATE])('%s runs them', async (...command) => {
    expect(await runRcpt(command, env)).toMatchObject({ code: 0, err: '' });
    expect(await runRcpt(['keys', 'list', '--team', 'team_x'], env)).toMatchObject({ code: EX_USAGE });
  });
});
