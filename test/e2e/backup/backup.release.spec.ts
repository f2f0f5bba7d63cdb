import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { copyFile, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { DataSource } from 'typeorm';
import { ARCHIVED, NOT_ARCHIVED } from '../../../src/modules/schema.js';
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
    // A new table is in ARCHIVED. If it is not worth keeping, NOT_ARCHIVED says why.
    expect(tables.map(({ name }) => name).sort()).toEqual([...ARCHIVED].sort());
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

  it('stores a table without compression that compresses better than a restore accepts', async () => {
    const large = await aCopyOf(scene.source.url);
    await onDatabase(large.url, (found) =>
      found.query(
        `INSERT INTO outbox (id, type, team_id, data, occurred_at)
         SELECT 'big_' || n, 'a', 'b', jsonb_build_object('x', repeat('a', 1000000)), now() FROM generate_series(1, 60) AS n`,
      ),
    );
    const path = join(scene.folder, 'large.backup');
    expect(await scene.rcpt(['backup', path], large.url)).toMatchObject({ code: 0 });
    expect((await stat(path)).size).toBeGreaterThan(60_000_000);
    expect(await scene.restore([path])).toMatchObject({ code: 0, err: '' });
    const counted = await onDatabase(scene.target.url, (found) =>
      found.query<{ rows: number; length: number }[]>(
        "SELECT count(*)::integer AS rows, sum(length(data ->> 'x'))::integer AS length FROM outbox WHERE id LIKE 'big%'",
      ),
    );
    expect(counted).toEqual([{ rows: 60, length: 60_000_000 }]);
    await large.drop();
  });

  it('leaves out tables that are not of Rcpt', async () => {
    const other = await aCopyOf(scene.source.url);
    await onDatabase(other.url, (found) => found.query('CREATE TABLE "Of us" AS SELECT 1 AS id'));
    const path = join(scene.folder, 'other.backup');
    expect(await scene.rcpt(['backup', path], other.url)).toMatchObject({ code: 0 });
    expect(await scene.restore([path])).toMatchObject({ code: 0, err: '' });
    expect(await archivedOf(scene.target.url)).toEqual(await archivedOf(scene.source.url));
    await other.drop();
  });

  it('keeps rows in a file without a name, and ends when its reader goes away', async () => {
    const spoolDirectory = await mkdtemp(join(scene.folder, 'spool-'));
    await onDatabase(scene.source.url, async (found) => {
      let files: string[] | null = null;
      const reader = new Writable({
        highWaterMark: 1,
        write: (_chunk, _encoding, done) => {
          void readdir(spoolDirectory).then((names) => {
            files = names;
            done(new Error('broken pipe'));
          });
        },
      });
      const options = {
        archived: new Set(ARCHIVED),
        seal: null,
        secretKeys: null,
        spoolDirectory,
        now: new Date(),
      };
      await expect(new DatabaseBackup(found).write(reader, options)).rejects.toThrow('broken pipe');
      expect(files).toEqual([]);
    });
  });
});
