import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DataDirs } from '../../../../test/support/database/data-dirs.js';
import { dumpOf } from '../../../../test/upgrade/release-files.js';
import { createDataSource } from '../data-source.js';
import { isMigrated, migrate } from '../migrate.js';
import { EmbeddedPostgres } from './embedded-postgres.js';

describe('the role of the embedded PostgreSQL', () => {
  const dirs = new DataDirs();
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await dirs.nextInitialized();
  });
  afterEach(() => dirs.removeAll());
  it.each([
    ['run programs', "COPY (SELECT 1) TO PROGRAM 'true'", '42501'],
    ['write files', "COPY (SELECT 1) TO '/tmp/rcpt-role'", '42501'],
    ['read files', "SELECT pg_read_file('/etc/hostname')", '42501'],
    ['change the catalog', 'INSERT INTO pg_proc SELECT * FROM pg_proc LIMIT 1', '42501'],
    ['make roles', 'CREATE ROLE other', '42501'],
    ['make other databases', 'CREATE DATABASE other', '42501'],
    ['become the superuser', 'SET ROLE postgres', '42501'],
  ])('cannot %s', async (_, statement, code) => {
    const postgres = await open();
    await expect(ask(postgres.url, statement)).rejects.toMatchObject({ code });
    expect(await ask(postgres.url, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toEqual([
      { rolsuper: false },
    ]);
    await postgres.close();
  });

  it('does not know the password of the superuser', async () => {
    const postgres = await open();
    const [role, superuser] = [new URL(postgres.url), new URL(postgres.administratorUrl)];
    expect(role.password).not.toBe(superuser.password);
    role.username = superuser.username;
    await expect(ask(role.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    await postgres.close();
  });

  it('owns the database of version 0.2.0 after the first start, which is migrated and has its rows', async () => {
    let postgres = await open();
    // As that version left it: all is of the superuser, and there is no role.
    const undo = [
      'REASSIGN OWNED BY rcpt TO postgres',
      'ALTER DATABASE rcpt OWNER TO postgres',
      'DROP ROLE rcpt',
    ];
    for (const statement of undo) await ask(postgres.administratorUrl, statement);
    await ask(postgres.administratorUrl, await dumpOf('0.2.0'));
    const [before] = await ask(postgres.administratorUrl, 'SELECT count(*) FROM public.bulk_rows');
    expect(Number(before?.count)).toBeGreaterThan(0);
    await postgres.close();

    const [first, second] = await Promise.all([open(), open()]);
    expect(second.url).toBe(first.url);
    postgres = first;
    const found = await createDataSource(postgres.url, [], 2).initialize();
    await migrate(found);
    expect(await isMigrated(found)).toBe(true);
    await found.destroy();
    expect(await ask(postgres.url, 'SELECT count(*) FROM bulk_rows')).toEqual([before]);
    expect(await ask(postgres.url, OWNED_BY_OTHERS)).toEqual([]);
    await second.close();
    await postgres.close();
  });

  function open(): Promise<EmbeddedPostgres> {
    return EmbeddedPostgres.open({ dataDir, log: () => undefined });
  }
});

const OWNED_BY_OTHERS = `
  SELECT relname::text AS name FROM pg_class WHERE relnamespace::regnamespace::text IN ('public', 'bullmq') AND relowner <> 'rcpt'::regrole
   UNION ALL SELECT proname FROM pg_proc WHERE pronamespace::regnamespace::text IN ('public', 'bullmq') AND proowner <> 'rcpt'::regrole
   UNION ALL SELECT typname FROM pg_type WHERE typnamespace::regnamespace::text IN ('public', 'bullmq') AND typowner <> 'rcpt'::regrole
   UNION ALL SELECT datname FROM pg_database WHERE datname = 'rcpt' AND datdba <> 'rcpt'::regrole`;

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(statement).finally(() => client.end());
  return rows;
}
