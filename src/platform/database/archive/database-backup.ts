import { Injectable } from '@nestjs/common';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import type { Client, PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DataSource, type QueryRunner } from 'typeorm';
import { withMaintenance } from '../migrate.js';
import { MIGRATIONS } from '../migrations.js';
import { version } from '../../telemetry/version.js';
import {
  END,
  FORMAT,
  MANIFEST,
  memberOf,
  type ArchiveEnd,
  type Manifest,
  type RowCount,
  type SequenceState,
  type TableShape,
} from './archive-format.js';
import { sealed, type ArchiveSeal } from './archive-seal.js';
import { copyTarget, findArchivedTables, qualified, type ArchivedTables } from './archived-tables.js';
import { isRestorable } from './inflated.js';
import { RowScan } from './row-scan.js';
import { TAR_END, tarHead, tarPadding } from './tar-head.js';
import { TableSpool } from './table-spool.js';

export interface BackupOptions {
  /** The tables that an archive contains, unless they are unlogged: of others in the database, nothing is known. */
  archived: ReadonlySet<string>;
  seal: ArchiveSeal;
  /** null: not in the archive. */
  secretKeys: readonly string[] | null;
  /** Where there is space for the largest table, compressed. */
  spoolDirectory: string;
  now: Date;
}

export interface BackupSummary {
  revision: string;
  tables: RowCount[];
  rows: number;
}

/** Text of COPY means the same to each version of PostgreSQL. */
const SESSION = [
  "SET client_encoding = 'UTF8'",
  "SET DateStyle = 'ISO'",
  "SET IntervalStyle = 'postgres'",
  'SET extra_float_digits = 1',
];
/** Half of the time of the default, 6, for a tenth more bytes. */
const COMPRESSION = { level: 3, chunkSize: 65_536 };
const NO_COMPRESSION = { ...COMPRESSION, level: 0 };

/** Reads all tables in one snapshot, while others write. */
@Injectable()
export class DatabaseBackup {
  constructor(private readonly dataSource: DataSource) {}

  /** Writes an archive and ends `output`. No migration runs meanwhile. @throws Error if the database is empty. */
  write(output: Writable, options: BackupOptions): Promise<BackupSummary> {
    return withMaintenance(this.dataSource, 'shared', async (_, runner) => {
      for (const setting of SESSION) await runner.query(setting);
      await runner.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const spool = await TableSpool.open(options.spoolDirectory);
      try {
        const run = new BackupRun(runner, spool, options);
        const seal = (content: AsyncIterable<Buffer>) => sealed(content, options.seal);
        await pipeline(run.archive(), seal, output).catch(async (error: unknown) => {
          await endConnection(runner);
          throw error;
        });
        await runner.query('COMMIT');
        return run.summary;
      } finally {
        await spool.close();
      }
    });
  }
}

/** The rest of a COPY that nobody reads would otherwise be before the next statement. */
async function endConnection(runner: QueryRunner): Promise<void> {
  await ((await runner.connect()) as Client).end().catch(() => undefined);
}

class BackupRun {
  readonly summary: BackupSummary = { revision: '', tables: [], rows: 0 };

  constructor(
    private readonly runner: QueryRunner,
    private readonly spool: TableSpool,
    private readonly options: BackupOptions,
  ) {}

  /** Several gzip streams, which are one (RFC 1952 §2.2): so rows are compressed before their number is known. */
  async *archive(): AsyncGenerator<Buffer> {
    const migrations = await this.executedMigrations();
    const found = await findArchivedTables(this.runner, this.leftOut(migrations));
    const manifest = this.manifestOf(migrations, found);
    this.summary.revision = manifest.revision;
    yield this.jsonMember(MANIFEST, manifest);
    for (const table of found.tables) yield* this.tableMember(found.schema, table);
    // After the rows: a sequence is not part of a snapshot, and is never behind it.
    const sequences = await this.sequencesOf(found);
    yield this.jsonMember(END, { tables: this.summary.tables, sequences } satisfies ArchiveEnd);
    yield gzipSync(TAR_END, COMPRESSION);
  }

  private async *tableMember(schema: string, table: TableShape): AsyncGenerator<Buffer> {
    let spooled = await this.spoolTable(schema, table, COMPRESSION);
    if (!isRestorable(spooled)) spooled = await this.spoolTable(schema, table, NO_COMPRESSION);
    const { rows, bytes } = spooled;
    this.summary.tables.push({ name: table.name, rows });
    this.summary.rows += rows;
    yield gzipSync(this.head(memberOf(table), bytes), COMPRESSION);
    yield* this.spool.read();
    yield gzipSync(tarPadding(bytes), COMPRESSION);
  }

  private async spoolTable(schema: string, table: TableShape, compression: typeof COMPRESSION) {
    const client = (await this.runner.connect()) as PoolClient;
    const copy = client.query(copyTo(`COPY ${copyTarget(schema, table)} TO STDOUT`));
    const scan = new RowScan(table, (why) => new Error(`there is no backup of this database: ${why}`));
    let bytes = 0;
    const scanned = async function* (text: AsyncIterable<Buffer>) {
      for await (const part of text) {
        scan.scan(part);
        bytes += part.length;
        yield part;
      }
    };
    const spool = (parts: AsyncIterable<Buffer>) => this.spool.write(parts);
    const compressed = await pipeline(copy, scanned, createGzip(compression), spool);
    return { rows: copy.rowCount, bytes, compressed };
  }

  private jsonMember(name: string, content: object): Buffer {
    const bytes = Buffer.from(`${JSON.stringify(content, null, 2)}\n`);
    const { length } = bytes;
    return gzipSync(Buffer.concat([this.head(name, length), bytes, tarPadding(length)]), COMPRESSION);
  }

  private head(name: string, size: number): Buffer {
    return tarHead(name, size, this.options.now);
  }

  private async executedMigrations(): Promise<string[]> {
    const [found] = (await this.runner.query("SELECT to_regclass('migrations') IS NOT NULL AS begun")) as {
      begun: boolean;
    }[];
    if (found?.begun !== true) throw new Error('the database is empty: there is nothing to back up');
    const executed = (await this.runner.query('SELECT name FROM migrations ORDER BY timestamp')) as {
      name: string;
    }[];
    return executed.map(({ name }) => name);
  }

  /** Tables of a later version are in the archive, which only that version restores. */
  private leftOut(migrations: readonly string[]): (name: string) => boolean {
    const known = new Set(MIGRATIONS.map(({ name }) => name));
    const isNewer = migrations.some((name) => !known.has(name));
    return (name) => !isNewer && !this.options.archived.has(name);
  }

  private manifestOf(migrations: string[], { tables, leftOut }: ArchivedTables): Manifest {
    const { secretKeys, now } = this.options;
    return {
      format: FORMAT,
      rcpt: version(),
      created_at: now.toISOString(),
      revision: migrations.at(-1) ?? '',
      migrations,
      tables,
      left_out: leftOut,
      ...(secretKeys === null ? {} : { secret_keys: [...secretKeys] }),
    };
  }

  private async sequencesOf({ schema, sequences }: ArchivedTables): Promise<SequenceState[]> {
    const states: SequenceState[] = [];
    for (const name of sequences) {
      const query = `SELECT last_value::text, is_called FROM ${qualified(schema, name)}`;
      const [state] = (await this.runner.query(query)) as Omit<SequenceState, 'name'>[];
      if (state !== undefined) states.push({ name, ...state });
    }
    return states;
  }
}
