import { Injectable } from '@nestjs/common';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { escapeIdentifier, type PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { DataSource, type QueryRunner } from 'typeorm';
import { Config, ConfigError } from '../../config/config.js';
import { SecretKeys } from '../../secrets/secret-keys.js';
import { storageError } from '../database-storage.js';
import { migrate, withMaintenance } from '../migrate.js';
import { MIGRATIONS } from '../migrations.js';
import { isCheckOf } from '../secret-key-check.js';
import { fileIn, findSecretKeys, keepSecretKeys } from '../secret-key-file.js';
import { damaged } from './archive-rejected.js';
import type { ArchiveRecord, Manifest, SequenceState, TableEnd, TableShape } from './archive-records.js';
import { intoOf } from './database-backup.js';
import { makeSchema, requireKnownSchema } from './restore-target.js';

type Records = AsyncIterator<ArchiveRecord>;

export interface RestoreSummary {
  manifest: Manifest;
  rows: number;
  /** Tables of the archive that are not of Rcpt. */
  skipped: string[];
  /** What became of the secret key: `used` is the one that was there. */
  secretKey: 'used' | 'restored' | 'lost';
}

const TRIGGERS = `
  SELECT DISTINCT r.relname AS name FROM pg_trigger t JOIN pg_class r ON r.oid = t.tgrelid
   WHERE NOT t.tgisinternal AND r.relnamespace = current_schema()::regnamespace`;

/** Fills an empty database from an archive, in one transaction. */
@Injectable()
export class DatabaseRestore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly config: Config,
  ) {}

  /**
   * Restores everything or nothing, and then runs the migrations that the archive lacks.
   *
   * @param isKeyLost restore although no key decrypts what is encrypted.
   * @throws ArchiveRejected, DatabaseNotEmpty, ConfigError: nothing was changed.
   */
  async run(records: AsyncIterable<ArchiveRecord>, isKeyLost: boolean): Promise<RestoreSummary> {
    const iterator = records[Symbol.asyncIterator]();
    try {
      const summary = await withMaintenance(this.dataSource, 'alone', async (own, runner) => {
        await runner.query("SET client_encoding = 'UTF8'");
        const manifest = await manifestIn(iterator);
        await runner.startTransaction();
        await makeSchema(own, runner, manifest);
        const rows = await fill(runner, iterator, manifest);
        const secretKey = await this.keepKeys(runner, manifest, isKeyLost);
        await this.commit(runner, secretKey);
        return { manifest, ...rows, secretKey };
      });
      await migrate(this.dataSource);
      return summary;
    } catch (error) {
      const sentence = storageError(error);
      throw sentence === null ? error : new Error(sentence, { cause: error });
    } finally {
      await iterator.return?.();
    }
  }

  /** @throws ConfigError when the key in use is not that of the archive. */
  private async keepKeys(
    runner: QueryRunner,
    { secret_keys: archived }: Manifest,
    isKeyLost: boolean,
  ): Promise<RestoreSummary['secretKey']> {
    const [row] = (await runner.query('SELECT ciphertext FROM secret_key_check')) as { ciphertext: string }[];
    const fits = (keys: readonly string[]) =>
      row === undefined || isCheckOf(new SecretKeys(keys), row.ciphertext);
    const inUse = await findSecretKeys(this.config);
    if (inUse !== null && fits(inUse)) return 'used';
    if (inUse === null && archived !== undefined && fits(archived)) {
      await keepSecretKeys(this.config, () => archived.join(','));
      return 'restored';
    }
    if (!isKeyLost) throw keyDoesNotFit(inUse !== null, archived !== undefined);
    await runner.query('DELETE FROM secret_key_check');
    return 'lost';
  }

  private async commit(runner: QueryRunner, secretKey: RestoreSummary['secretKey']): Promise<void> {
    try {
      await runner.commitTransaction();
    } catch (error) {
      if (secretKey === 'restored') await rm(fileIn(this.config.dataDir), { force: true });
      throw error;
    }
  }
}

async function manifestIn(records: Records): Promise<Manifest> {
  const first = await records.next();
  if (first.done === true || first.value.kind !== 'manifest') throw damaged('it has no manifest');
  const { manifest } = first.value;
  requireKnownSchema(
    manifest,
    MIGRATIONS.map(({ name }) => name),
  );
  return manifest;
}

async function fill(
  runner: QueryRunner,
  records: Records,
  manifest: Manifest,
): Promise<{ rows: number; skipped: string[] }> {
  const shapes = new Map(manifest.tables.map((table) => [table.name, table]));
  const triggers = ((await runner.query(TRIGGERS)) as { name: string }[]).map(({ name }) => name);
  await switchTriggers(runner, triggers, 'DISABLE');
  const skipped: string[] = [];
  let rows = 0;
  // Until the iterator ends: what follows the end of an archive is an error.
  for (let next; (next = await records.next()).done !== true;) {
    const record = next.value;
    if (record.kind === 'end') await setSequences(runner, record.end.sequences);
    if (record.kind !== 'table') continue;
    const { name } = record.table;
    const shape = shapes.get(name);
    if (shape === undefined) throw damaged('its tables are not in order');
    const isKnown = await hasRelation(runner, name);
    if (!isKnown) skipped.push(name);
    const { rows: expected } = isKnown ? await fillTable(runner, records, shape) : await skipTable(records);
    if (isKnown) rows += expected;
  }
  await switchTriggers(runner, triggers, 'ENABLE');
  return { rows, skipped };
}

async function fillTable(runner: QueryRunner, records: Records, table: TableShape): Promise<TableEnd> {
  const client = (await runner.connect()) as PoolClient;
  const copy = client.query(copyFrom(`COPY ${intoOf(table)} FROM STDIN`));
  let end: TableEnd | null = null;
  const rows = rowsUntilEnd(records, (found) => (end = found));
  await pipeline(rows, copy).catch((error: unknown) => {
    const { code = '' } = error as { code?: string };
    // Messages of PostgreSQL may quote rows.
    throw /^(22|23|42)...$/.test(code)
      ? damaged(`PostgreSQL refuses rows of ${table.name} (${code})`)
      : error;
  });
  const read = end as TableEnd | null;
  if (read?.rows !== copy.rowCount) throw damaged(`${table.name} has another number of rows`);
  return read;
}

async function skipTable(records: Records): Promise<TableEnd> {
  let end: TableEnd | null = null;
  const rows = rowsUntilEnd(records, (found) => (end = found));
  while ((await rows.next()).done !== true);
  return end ?? { rows: 0, bytes: 0, sha256: '' };
}

async function* rowsUntilEnd(records: Records, ended: (end: TableEnd) => void): AsyncGenerator<Buffer> {
  for (let next; (next = await records.next()).done !== true;) {
    if (next.value.kind === 'tableEnd') return ended(next.value.end);
    if (next.value.kind === 'rows') yield next.value.text;
  }
}

async function setSequences(runner: QueryRunner, sequences: readonly SequenceState[]): Promise<void> {
  for (const { name, last_value: value, is_called: isCalled } of sequences)
    if (await hasRelation(runner, name))
      await runner.query('SELECT setval($1::regclass, $2, $3)', [escapeIdentifier(name), value, isCalled]);
}

async function hasRelation(runner: QueryRunner, name: string): Promise<boolean> {
  const [found] = (await runner.query('SELECT to_regclass($1) IS NOT NULL AS known', [
    escapeIdentifier(name),
  ])) as { known: boolean }[];
  return found?.known === true;
}

/** Rows are restored as they were: what triggers would add is in the archive. */
async function switchTriggers(
  runner: QueryRunner,
  tables: readonly string[],
  action: 'DISABLE' | 'ENABLE',
): Promise<void> {
  for (const name of tables)
    await runner.query(`ALTER TABLE ${escapeIdentifier(name)} ${action} TRIGGER USER`);
}

function keyDoesNotFit(hasKey: boolean, isArchived: boolean): ConfigError {
  const why = hasKey
    ? 'The key in use (SECRET_KEY, or secret-key in DATA_DIR) does not decrypt the data of the archive'
    : 'There is no key that decrypts the data of the archive: SECRET_KEY is not set, and DATA_DIR has no secret-key';
  const what = isArchived
    ? 'The archive has its key: write it to a file with --secret-key-to, and set SECRET_KEY to what it contains'
    : 'Set SECRET_KEY to the key of the installation that was backed up, or put its file secret-key into DATA_DIR';
  return new ConfigError(
    `${why}, so that nothing was changed. ${what}. docs/operations.md says what to do when the key is lost.`,
  );
}
