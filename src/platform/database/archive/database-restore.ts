import { Injectable } from '@nestjs/common';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { DataSource, type QueryRunner } from 'typeorm';
import { Config, ConfigError } from '../../config/config.js';
import { SecretKeys } from '../../secrets/secret-keys.js';
import { storageError } from '../database-storage.js';
import { migrate, withMaintenance } from '../migrate.js';
import { beginPause } from '../pause/stored-pause.js';
import { isCheckOf } from '../secret-key-check.js';
import { fileIn, findSecretKeys, keepSecretKeys } from '../secret-key-file.js';
import { copyTarget, qualified } from './archived-tables.js';
import type { Manifest } from './archive-format.js';
import { damaged } from './archive-rejected.js';
import type { ArchivePart } from './read-archive.js';
import { RestoreTarget, requireKnownSchema } from './restore-target.js';

type Parts = AsyncIterator<ArchivePart>;
type TablePart = Extract<ArchivePart, { kind: 'table' }>;

export interface RestoreChoices {
  /** Restore although no key decrypts what is encrypted. */
  isKeyLost: boolean;
  /** The restored installation sends nothing to other systems. */
  isPaused: boolean;
}

export interface RestoreSummary {
  manifest: Manifest;
  rows: number;
  /** What became of the secret key: `used` is the one that was there. */
  secretKey: 'used' | 'restored' | 'lost';
}

const TRIGGERS = `
  SELECT DISTINCT r.relname AS name FROM pg_trigger t JOIN pg_class r ON r.oid = t.tgrelid
   WHERE NOT t.tgisinternal AND r.relnamespace = current_schema()::regnamespace`;
/** Classes of SQLSTATE for what is wrong with a row or a value, not with the server. */
const ERRORS_OF_DATA = /^(?:0A|21|22|23|42|44|54)...$/;

/** Fills an empty database from an archive, in one transaction. */
@Injectable()
export class DatabaseRestore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly config: Config,
  ) {}

  /**
   * Restores everything or nothing, and runs the migrations that the archive lacks.
   *
   * @throws ArchiveRejected, DatabaseNotEmpty, ConfigError: nothing was changed.
   */
  async run(archive: AsyncIterable<ArchivePart>, choices: RestoreChoices): Promise<RestoreSummary> {
    const parts = archive[Symbol.asyncIterator]();
    try {
      const summary = await withMaintenance(this.dataSource, 'alone', async (own, runner) => {
        await runner.query("SET client_encoding = 'UTF8'");
        const manifest = await manifestIn(parts);
        await runner.startTransaction();
        const target = await RestoreTarget.make(own, runner, manifest);
        target.requireOwn(manifest);
        const rows = await fill(runner, parts, target);
        const secretKey = await this.keepKeys(runner, manifest, choices);
        await this.commit(runner, target, secretKey, choices);
        return { manifest, rows, secretKey };
      });
      await migrate(this.dataSource);
      return summary;
    } catch (error) {
      const sentence = storageError(error);
      throw sentence === null ? error : new Error(sentence, { cause: error });
    } finally {
      await parts.return?.();
    }
  }

  /** @throws ConfigError when the key in use is not that of the archive. */
  private async keepKeys(
    runner: QueryRunner,
    { secret_keys: archived }: Manifest,
    { isKeyLost }: RestoreChoices,
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

  private async commit(
    runner: QueryRunner,
    target: RestoreTarget,
    secretKey: RestoreSummary['secretKey'],
    { isPaused }: RestoreChoices,
  ): Promise<void> {
    try {
      await refusing('the migration of its rows', async () => {
        await target.migrate();
        if (isPaused) await beginPause(runner);
        await runner.commitTransaction();
      });
    } catch (error) {
      if (secretKey === 'restored') await rm(fileIn(this.config.dataDir), { force: true });
      throw error;
    }
  }
}

async function manifestIn(parts: Parts): Promise<Manifest> {
  const first = await parts.next();
  if (first.done === true || first.value.kind !== 'manifest') throw damaged('it has no manifest');
  const { manifest } = first.value;
  requireKnownSchema(manifest);
  return manifest;
}

/** @returns the number of rows. */
async function fill(runner: QueryRunner, parts: Parts, target: RestoreTarget): Promise<number> {
  const triggers = ((await runner.query(TRIGGERS)) as { name: string }[]).map(({ name }) => name);
  const tables = triggers.map((name) => qualified(target.schema, name));
  // Rows are restored as they were: what triggers would add is in the archive.
  for (const table of tables) await runner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  let rows = 0;
  // Until the iterator ends: what follows the end of an archive is an error.
  for (let next; (next = await parts.next()).done !== true;) {
    const part = next.value;
    if (part.kind === 'table') rows += await fillTable(runner, target.schema, part);
    if (part.kind === 'end') await refusing('a value of a sequence', () => target.setSequences(part.end));
  }
  for (const table of tables) await runner.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  return rows;
}

async function fillTable(runner: QueryRunner, schema: string, part: TablePart): Promise<number> {
  const { table, rows } = part;
  const client = (await runner.connect()) as PoolClient;
  const copy = client.query(copyFrom(`COPY ${copyTarget(schema, table)} FROM STDIN`));
  await refusing(`rows of ${table.name}`, () => pipeline(rows, copy));
  if (copy.rowCount !== part.counted()) throw damaged(`${table.name} has another number of rows`);
  return copy.rowCount;
}

/** Messages of PostgreSQL may quote rows, and are not shown. */
async function refusing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '' } = error as { code?: string };
    throw ERRORS_OF_DATA.test(code) ? damaged(`PostgreSQL refuses ${what} (${code})`) : error;
  }
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
