import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { CheckSummary } from '../../../src/platform/database/checks/database-check.js';
import { SecretKeys } from '../../../src/platform/secrets/secret-keys.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { joinTeam, rowsOf } from '../../support/app/joins.js';
import { anEmptyDatabase } from '../../support/database/fresh-database.js';
import { contentsOf } from '../../support/database/planted-rows.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const MAIL = { INVITE_SMTP_URL: 'smtp://127.0.0.1:9', INVITE_FROM: 'rcpt@service.example' };
const ADDRESS = 'jane.doe@nowhere.rcpt-test.net';

describe('rcpt check-data', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await anApp(MAIL);
    const account = await app.anAccount();
    const key = account.liveKey;
    await joinTeam(app, account);
    await app
      .post('/v1/webhooks', key)
      .set('Idempotency-Key', 'once')
      .send({ url: 'https://receiver.example/', events: ['key.created'] })
      .expect(201);
    await app.post('/v1/keys', key).send({ name: 'a key' }).expect(201);
    await app
      .post('/v1/outcome-sources', key)
      .send({ kind: 'postmark', secret: 'user:password' })
      .expect(201);
    const rule = { id: 'partner', when: { domain: 'partner.example' }, decision: 'accept' };
    await app
      .request('put', '/v1/policy', key)
      .send({ rules: [rule] })
      .expect(200);
    await app.post('/v1/team/invites', key).send({ email: 'guest@example.com' }).expect(201);
    await app.get(`/v1/verify?email=${ADDRESS}`, key).expect(200);
    await app.get('/v1/verify?email=no-address', key);
    const origins = ['https://www.example.com'];
    await app.post('/v1/keys', key).send({ name: 'a page', kind: 'publishable', allowed_origins: origins });
    const emails = [ADDRESS, ADDRESS, 'no address', 'no address 2', '', 'erased@nowhere.rcpt-test.net'];
    await aBulkJob(app, key, emails);
    await workOn(app);
    await aBulkJob(app, account.testKey, ['a@example.com', 'greylisted@example.com']);
    await workOn(app);
    const canceled = await aBulkJob(app, key, ['no address 3']);
    await app.post(`/v1/bulk-jobs/${canceled.id}/cancel`, key);
    await aBulkJob(app, key, ['no address 4', ADDRESS]);
    await runRcpt(['users', 'erase', 'erased@nowhere.rcpt-test.net'], app.shared);
    await app.dispatchEvents();
    // A team that is deleted, and whose rows are deleted later.
    const gone = await app.anAccount();
    await app.get(`/v1/verify?email=${ADDRESS}`, gone.liveKey);
    await aBulkJob(app, gone.liveKey, ['no address 5']);
    await app.delete('/v1/team', gone.liveKey);
  });
  afterAll(() => app.stop());

  const check = async (env: Record<string, string> = {}) => {
    const { code, out, err } = await runRcpt(['check-data', '--json'], { ...app.shared, ...env });
    expect(err).toBe('');
    return { code, out, ...(JSON.parse(out) as CheckSummary & { ok: boolean }) };
  };
  /** Changes data behind the constraints, checks, and undoes it. */
  const after = async (statement: string, undo: string, values: unknown[] = []) => {
    await rowsOf(app, statement, values);
    try {
      return await check();
    } finally {
      await rowsOf(app, undo);
    }
  };

  it('finds nothing wrong in the data of a service, reads every table and decrypts what is encrypted', async () => {
    const { code, ok, findings, tables, decrypted } = await check();
    expect([code, ok, findings]).toEqual([0, true, []]);
    const all = await rowsOf<{ name: string }>(
      app,
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
    );
    expect(tables.map(({ name }) => name).sort()).toEqual(all.map(({ name }) => name).sort());
    expect(tables.find(({ name }) => name === 'bulk_rows')?.rows).toBeGreaterThan(5);
    expect(decrypted).toBeGreaterThan(3);
    const { out } = await runRcpt(['check-data'], app.shared);
    expect(out).toMatch(/^Read \d+ rows of \d+ tables, and decrypted \d+ values\.\nNothing is wrong\.\n$/);
  });

  it('changes nothing, also when it finds something', async () => {
    const before = await contentsOf(app.shared.DATABASE_URL);
    await check({ SECRET_KEY: randomBytes(32).toString('base64') });
    expect(await contentsOf(app.shared.DATABASE_URL)).toEqual(before);
  });

  it('says that SECRET_KEY is another one, and which columns it does not decrypt', async () => {
    const { code, findings } = await check({ SECRET_KEY: randomBytes(32).toString('base64') });
    expect(code).toBe(1);
    expect(findings.map(({ place }) => place)).toEqual(
      expect.arrayContaining(['secret_key_check', 'webhooks.secrets', 'outcome_sources.secret']),
    );
  });

  it('says it in sentences with ids, and without addresses', async () => {
    await rowsOf(app, "UPDATE bulk_results SET verdict = '{}'");
    const { code, out } = await runRcpt(['check-data'], app.shared);
    expect(code).toBe(1);
    expect(out).toMatch(/^bulk_results\.verdict: \d+ rows have JSON of another shape: \\x/m);
    expect(out).not.toContain('@');
    await rowsOf(app, 'DELETE FROM bulk_results');
  });

  it.each([
    [
      'a row of a list that is missing',
      `UPDATE bulk_rows SET list = list + 1000, address_key = int8send(list + 1000) || substring(address_key FROM 9)
        WHERE email = '${'no address 4'}'`,
      `UPDATE bulk_rows SET list = list - 1000, address_key = int8send(list - 1000) || substring(address_key FROM 9)
        WHERE email = '${'no address 4'}'`,
      ['bulk_jobs have other totals than rows', 'bulk_rows have a list that is in no row of bulk_jobs'],
    ],
    [
      'a chunk that is lost',
      'UPDATE bulk_jobs SET chunks_left = chunks_left + 7',
      'UPDATE bulk_jobs SET chunks_left = chunks_left - 7',
      ['bulk_jobs have another chunks_left than there are rows in bulk_chunks'],
    ],
    [
      'a row of a list without its recheck',
      'UPDATE bulk_jobs SET deferred_left = deferred_left + 1',
      'UPDATE bulk_jobs SET deferred_left = deferred_left - 1',
      ['bulk_jobs have another deferred_left than there are rows in rechecks'],
    ],
    [
      'a key of another list',
      `UPDATE bulk_rows SET address_key = int8send(0) || substring(address_key FROM 9) WHERE email = 'no address 4'`,
      `UPDATE bulk_rows SET address_key = int8send(list) || substring(address_key FROM 9) WHERE email = 'no address 4'`,
      ['bulk_rows have a key of another list'],
    ],
    [
      'usage that was charged and not counted',
      'UPDATE quota_days SET used = used + 1',
      'UPDATE quota_days SET used = used - 1',
      ['quota_days have a use that is not the sum of what was charged'],
    ],
    [
      'usage whose sums differ',
      'UPDATE usage_days SET risky = risky + 1',
      'UPDATE usage_days SET risky = risky - 1',
      ['usage_days have sums that are not equal: by kind and by status'],
    ],
    [
      'a team without an owner',
      `UPDATE members SET role = 'admin', last_active_at = 'infinity' WHERE role = 'owner'`,
      `UPDATE members SET role = 'owner', last_active_at = NULL WHERE last_active_at = 'infinity'`,
      ['teams have no owner'],
    ],
    [
      'a member of no team',
      `ALTER TABLE members DROP CONSTRAINT members_team_id_fkey; UPDATE members SET team_id = 'team_x' WHERE role = 'member';
       ALTER TABLE members ADD CONSTRAINT members_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams ON DELETE CASCADE NOT VALID`,
      `UPDATE members SET team_id = (SELECT id FROM teams ORDER BY created_at LIMIT 1) WHERE team_id = 'team_x'`,
      ['members refer to rows of teams that do not exist'],
    ],
    [
      'a delivery of no webhook',
      `INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, data, occurred_at, created_at, status)
       VALUES ('dlv_1', 'whk_x', 'evt_1', 'key.created', '[]', now(), now(), 'failed')`,
      `DELETE FROM webhook_deliveries WHERE id = 'dlv_1'`,
      [
        'webhook_deliveries.data have JSON of another shape',
        'webhook_deliveries have a webhook_id that is in no row of webhooks',
      ],
    ],
    [
      'a value that breaks a constraint',
      `ALTER TABLE quota_days DROP CONSTRAINT quota_days_reserved_check; UPDATE quota_days SET reserved = reserved - 1000;
       ALTER TABLE quota_days ADD CONSTRAINT quota_days_reserved_check CHECK (reserved >= 0) NOT VALID`,
      'UPDATE quota_days SET reserved = reserved + 1000',
      ['quota_days break the constraint quota_days_reserved_check'],
    ],
    [
      'the digest of another key',
      `UPDATE api_keys SET digest = sha256(digest) WHERE publishable_key IS NOT NULL`,
      `UPDATE api_keys SET digest = sha256(convert_to(publishable_key, 'UTF8')) WHERE publishable_key IS NOT NULL`,
      ['api_keys have another digest than that of their text'],
    ],
    [
      'rules that cannot be applied',
      `UPDATE policies SET rules = '[null]'`,
      `UPDATE policies SET rules = '[]'`,
      ['policies.rules have JSON of another shape'],
    ],
    [
      'a program without an id',
      `UPDATE api_keys SET oauth_client = '{}' WHERE publishable_key IS NOT NULL`,
      `UPDATE api_keys SET oauth_client = NULL WHERE publishable_key IS NOT NULL`,
      ['api_keys.oauth_client have JSON of another shape'],
    ],
    [
      'what the authorization server cannot read',
      `INSERT INTO oauth_records (model, digest, payload, expires_at) VALUES ('Client', '\\x00', '[]', 'infinity')`,
      `DELETE FROM oauth_records`,
      ['oauth_records.payload have JSON of another shape'],
    ],
  ])('finds %s', async (_, statement, undo, problems) => {
    const before = await check();
    const { code, findings } = await after(statement, undo);
    expect(code).toBe(1);
    const known = new Set(before.findings.map(named));
    expect(findings.map(named).filter((name) => !known.has(name))).toEqual(expect.arrayContaining(problems));
    expect(findings.every(({ rows, ids }) => ids.length === Math.min(rows, 20))).toBe(true);
  });

  it('finds a secret that was changed, and one that is not encrypted', async () => {
    const changed = new SecretKeys([app.shared.SECRET_KEY]).encrypt('user:password').replace(/...$/, 'AAA');
    for (const stored of [changed, 'user:password']) {
      await rowsOf(app, 'UPDATE outcome_sources SET secret = $1', [stored]);
      const { findings } = await check();
      expect(findings).toContainEqual({
        place: 'outcome_sources.secret',
        problem: 'cannot be decrypted with SECRET_KEY, or were changed',
        rows: 1,
        ids: [expect.stringMatching(/^src_/)],
      });
    }
  });

  it('of an empty database says that nothing has been restored yet, and changes nothing', async () => {
    const empty = await anEmptyDatabase();
    const { code, err } = await runRcpt(['check-data'], { ...app.shared, DATABASE_URL: empty.url });
    expect([code, err]).toEqual([
      70,
      expect.stringMatching(/^rcpt: the database is empty: nothing has been restored yet\. .*restore/),
    ]);
    expect(err).not.toContain('migrate');
    expect(await contentsOf(empty.url)).toEqual({ sequences: [] });
    await empty.drop();
  });

  it('fails when migrations are missing, and says what to run', async () => {
    await rowsOf(app, "UPDATE migrations SET name = name || 'x' WHERE id = 1");
    const { code, err } = await runRcpt(['check-data'], app.shared);
    expect([code, err]).toEqual([
      70,
      expect.stringContaining('lacks migrations; run `npx --no rcpt migrate`'),
    ]);
    await rowsOf(app, "UPDATE migrations SET name = rtrim(name, 'x') WHERE id = 1");
  });
});

function named({ place, problem }: { place: string; problem: string }): string {
  return `${place} ${problem}`;
}
