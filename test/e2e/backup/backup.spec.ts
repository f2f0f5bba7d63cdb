import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { copyFile, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { NOT_ARCHIVED } from '../../../src/modules/schema.js';
import { newSeal } from '../../../src/platform/database/archive/chunk-seal.js';
import { DatabaseBackup } from '../../../src/platform/database/archive/database-backup.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { isMigrated } from '../../../src/platform/database/migrate.js';
import { MIGRATIONS } from '../../../src/platform/database/migrations.js';
import { checkSecretKeys } from '../../../src/platform/database/secret-key-check.js';
import { SecretKeys } from '../../../src/platform/secrets/secret-keys.js';
import { archivedOf, BackupScene, onDatabase } from '../../support/database/backup-scene.js';
import { aCopyOf, anEmptyDatabase } from '../../support/database/fresh-database.js';
import { withLockedTable } from '../../support/database/locked-table.js';
import { contentsOf } from '../../support/database/planted-rows.js';

describe('rcpt backup and restore', () => {
  let scene: BackupScene;

  beforeAll(async () => {
    scene = await BackupScene.open();
  });
  beforeEach(() => scene.next());
  afterAll(() => scene.close());

  it('restores every row of every table that is in an scene.archive, and the sequences', async () => {
    const before = await archivedOf(scene.source.url);
    const { code, out, err } = await scene.restore([scene.archive]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^Restored \d+ rows of the backup of 20/);
    expect(Object.values(before).flat().length).toBeGreaterThan(80);
    expect(await archivedOf(scene.target.url)).toEqual(before);
    expect(await onDatabase(scene.target.url, isMigrated)).toBe(true);
    expect((await scene.rcpt(['migrate'], scene.target.url)).code).toBe(0);
    // The next id follows the restored ones.
    await onDatabase(scene.target.url, (found) =>
      found.query(`INSERT INTO audit_log (id, at, action, team_id, target_type, target_id, details)
                   VALUES ('aud_1', now(), 'key.created', 'team_1', 'key', 'key_1', '{}')`),
    );
  });

  it('decides for every table whether it is in an archive', async () => {
    const { out } = await scene.backup(join(scene.folder, 'tables.backup'), '--json');
    const { tables } = JSON.parse(out) as { tables: { name: string; rows: number }[] };
    // A new table is in archives. If it is not worth keeping, NOT_ARCHIVED says why.
    expect(tables.map(({ name }) => name).sort()).toEqual(ARCHIVED);
    expect(tables.filter(({ rows }) => rows === 0)).toEqual([]);
    const names = await onDatabase(scene.source.url, (found) =>
      found.query<{ name: string }[]>(
        'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
      ),
    );
    const unlogged = [
      'publishable_addresses',
      'publishable_requests',
      'self_check_runs',
      'smtp_permits',
      'smtp_shared_state',
    ];
    const known = [...ARCHIVED, ...Object.keys(NOT_ARCHIVED), ...unlogged].sort();
    expect(names.map(({ name }) => name).sort()).toEqual(known);
  });

  it('is one snapshot: what is committed during a backup is in no table of it', async () => {
    const used = await aCopyOf(scene.source.url);
    const before = await archivedOf(used.url);
    const path = join(scene.folder, 'snapshot.backup');
    await onDatabase(used.url, async (found) => {
      const { ended } = await withLockedTable(found, 'users', async (waiting) => {
        const running = scene.rcpt(['backup', path], used.url);
        await waiting();
        await found.query("INSERT INTO outcome_hosts (host, team_id) SELECT 'new ' || id, id FROM outbox");
        await found.query('DELETE FROM failed_requests');
        return { ended: running };
      });
      expect(await ended).toMatchObject({ code: 0 });
    });
    expect(await scene.restore([path])).toMatchObject({ code: 0 });
    expect(await archivedOf(scene.target.url)).toEqual(before);
    await used.drop();
  });

  it('restores an archive of an older schema, and migrates it', async () => {
    const older = await anEmptyDatabase();
    const options = createDataSource(older.url, [], 1).options as object;
    const found = await new DataSource({
      ...options,
      migrations: MIGRATIONS.slice(0, -1),
    } as never).initialize();
    await found.runMigrations();
    await checkSecretKeys(found, new SecretKeys([scene.key]));
    await found.query(
      "INSERT INTO teams (id, name, base_tier, created_at) VALUES ('team_1', 'A', 'free', now())",
    );
    await found.destroy();
    const path = join(scene.folder, 'older.backup');
    expect((await scene.rcpt(['backup', path], older.url)).code).toBe(0);
    await older.drop();
    expect(await scene.restore([path])).toMatchObject({ code: 0 });
    expect(await onDatabase(scene.target.url, isMigrated)).toBe(true);
    expect((await contentsOf(scene.target.url)).teams).toHaveLength(1);
  });

  it('restores into a database that was migrated and has no rows', async () => {
    expect((await scene.rcpt(['migrate'], scene.target.url)).code).toBe(0);
    expect(await scene.restore([scene.archive])).toMatchObject({ code: 0, err: '' });
    expect(await archivedOf(scene.target.url)).toEqual(await archivedOf(scene.source.url));
  });

  it('has its name only when it is complete, for its user only, and replaces an earlier one', async () => {
    const inner = await mkdtemp(join(scene.folder, 'inner-'));
    const [path, link] = [join(inner, 'a.backup'), join(scene.folder, 'link')];
    await writeFile(path, 'earlier', { mode: 0o644 });
    await symlink(path, link);
    await onDatabase(scene.source.url, (found) =>
      withLockedTable(found, 'webhooks', async (waiting) => {
        const ended = scene.backup(link);
        await waiting();
        expect(await readFile(path, 'utf8')).toBe('earlier');
        const [draft = ''] = (await readdir(inner)).filter((name) => name.endsWith('.partial'));
        await copyFile(join(inner, draft), join(scene.folder, 'draft'));
        return { ended };
      }).then(async ({ ended }) => expect(await ended).toMatchObject({ code: 0 })),
    );
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(inner)).toEqual(['a.backup']);
    expect(await scene.restore([join(scene.folder, 'draft')])).toMatchObject({ code: 65 });
    expect(await scene.restore([path])).toMatchObject({ code: 0 });
  });

  it('is refused for what is no file, which stays as it is', async () => {
    expect(await scene.backup('/dev/null')).toMatchObject({ code: 64 });
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
    expect(await scene.backup(scene.folder)).toMatchObject({ code: 64 });
    const { code, err } = await scene.backup(join(scene.folder, 'none', 'a.backup'));
    expect([code, err]).toEqual([64, `rcpt: there is no file or folder ${join(scene.folder, 'none')}\n`]);
  });

  it('lets no migration run while it reads', async () => {
    await onDatabase(scene.source.url, async (found) => {
      const ended = await withLockedTable(found, 'webhooks', async (waiting) => {
        const running = scene.backup(join(scene.folder, 'locked.backup'));
        await waiting();
        const [lock] = await found.query<{ free: boolean }[]>(
          'SELECT pg_try_advisory_lock($1) AS free',
          [0x72637074],
        );
        expect(lock?.free).toBe(false);
        return { running };
      });
      await ended.running;
    });
  });

  it('reads no faster than it is written: the server waits for the reader', async () => {
    const large = await aCopyOf(scene.source.url);
    const filler =
      "SELECT 'big_' || n, 'a', 'b', jsonb_build_object('x', repeat(md5(n::text), 60)), now() FROM generate_series(1, 30000) AS n";
    await onDatabase(large.url, async (found) => {
      await found.query(`INSERT INTO outbox (id, type, team_id, data, occurred_at) ${filler}`);
      const stuck = new Writable({ write: () => undefined });
      const options = {
        leftOut: new Set<string>(),
        seal: await newSeal(null),
        secretKeys: null,
        now: new Date(),
      };
      const ended = new DatabaseBackup(found).write(stuck, options);
      const watch = new Client({ connectionString: large.url });
      await watch.connect();
      const isWaiting = async () => {
        const { rows } = await watch.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY \"outbox\"%' AND wait_event = 'ClientWrite'",
        );
        return rows.length > 0;
      };
      while (!(await isWaiting()));
      await watch.end();
      // A reader that goes away ends it.
      stuck.destroy(new Error('broken pipe'));
      await expect(ended).rejects.toThrow('broken pipe');
    });
    await large.drop();
  });
});

const ARCHIVED = [
  'api_keys',
  'audit_log',
  'billing_customers',
  'billing_events',
  'blocklist_entries',
  'bulk_chunks',
  'bulk_jobs',
  'bulk_results',
  'bulk_row_reasons',
  'bulk_rows',
  'confirmed_proofs',
  'disposable_overrides',
  'egress_warmup',
  'egress_warmup_teams',
  'erasures',
  'failed_requests',
  'idempotency_keys',
  'invites',
  'list_previews',
  'members',
  'oauth_records',
  'outbox',
  'outcome_accepted',
  'outcome_hosts',
  'outcome_source_tokens',
  'outcome_sources',
  'outcome_statistics',
  'outcome_verdicts',
  'outcomes',
  'outgoing_mails',
  'policies',
  'quota_days',
  'rechecks',
  'schedule_members',
  'schedule_runs',
  'schedules',
  'secret_key_check',
  'self_check_days',
  'self_checks',
  'sign_in_links',
  'signup_confirmations',
  'teams',
  'usage_days',
  'users',
  'webhook_deliveries',
  'webhooks',
];
