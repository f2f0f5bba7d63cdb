import { Injectable } from '@nestjs/common';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeIdentifier, type PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DataSource, type QueryRunner } from 'typeorm';
import { INSTALLATION } from '../../installation/installation.js';
import type { SecretKeys } from '../../secrets/secret-keys.js';
import { isMigrated, withMaintenance } from '../migrate.js';
import { isCheckOf } from '../secret-key-check.js';
import type { EncryptedProperty } from '../secret-key-rotation.js';
import {
  constraintChecks,
  counterCheck,
  findTables,
  idsOf,
  partsOf,
  referenceCheck,
  type IdOf,
} from './catalog-checks.js';
import type { DataChecks, Finding, RowCheck } from './data-checks.js';

export interface CheckSummary {
  tables: { name: string; rows: number }[];
  /** Encrypted values that were decrypted. */
  decrypted: number;
  findings: Finding[];
}

const MAX_IDS = 20;
/** Of values in memory; a response that is kept for a repeated request can have a megabyte. */
const VALUES_AT_ONCE = 100;

/** Reads the whole database in one snapshot, and changes nothing. */
@Injectable()
export class DatabaseCheck {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws Error when migrations are missing: what must hold is known for the present schema only. */
  async run(
    checks: DataChecks,
    encrypted: readonly EncryptedProperty[],
    keys: SecretKeys,
  ): Promise<CheckSummary> {
    if (await hasNoTables(this.dataSource))
      throw new Error(
        `the database is empty: nothing has been restored yet. Run \`${INSTALLATION.command} restore FILE\` first`,
      );
    if (!(await isMigrated(this.dataSource)))
      throw new Error(
        `the database lacks migrations; run \`${INSTALLATION.command} migrate\`, and check it then`,
      );
    return withMaintenance(this.dataSource, 'shared', async (_, runner) => {
      await runner.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const run = new CheckRun(runner);
      const tables = await findTables(runner);
      const idOf = idsOf(tables);
      for (const { name } of tables) await run.read(name);
      await run.checkSecretKey(keys);
      for (const property of encrypted) {
        const place = this.placeOf(property);
        const problem = 'cannot be decrypted with SECRET_KEY, or were changed';
        await run.scan(place, idOf, problem, (value) => {
          const count = keys.countReadable(textOf(value));
          run.summary.decrypted += count ?? 0;
          return count !== null;
        });
      }
      for (const shape of checks.shapes)
        await run.scan(shape.column, idOf, 'have JSON of another shape', (value) => shape.isValid(value));
      const rowChecks = [
        ...(await constraintChecks(runner, idOf)),
        ...checks.references.map((reference) => referenceCheck(reference, idOf)),
        ...checks.counters.map((counter) => counterCheck(counter, idOf)),
        ...checks.rows,
      ];
      for (const check of rowChecks) await run.find(check);
      await runner.query('COMMIT');
      return run.summary;
    });
  }

  private placeOf({ schema, property }: EncryptedProperty): string {
    const metadata = this.dataSource.getMetadata(schema);
    const column = metadata.findColumnWithPropertyName(property);
    return `${metadata.tableName}.${column?.databaseName ?? property}`;
  }
}

async function hasNoTables(dataSource: DataSource): Promise<boolean> {
  const [found] = await dataSource.query<{ empty: boolean }[]>(
    'SELECT NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema()) AS empty',
  );
  return found?.empty === true;
}

class CheckRun {
  readonly summary: CheckSummary = { tables: [], decrypted: 0, findings: [] };

  constructor(private readonly runner: QueryRunner) {}

  /** Reads every value of a table, also those that are stored outside of its rows. */
  async read(name: string): Promise<void> {
    await this.guarded(name, async () => {
      const client = (await this.runner.connect()) as PoolClient;
      const copy = client.query(copyTo(`COPY ${escapeIdentifier(name)} TO STDOUT`));
      await pipeline(copy, new Writable({ write: (_chunk, _encoding, done) => done() }));
      this.summary.tables.push({ name, rows: copy.rowCount });
    });
  }

  /** The text by which each process finds out at its start whether it has the right key. */
  async checkSecretKey(keys: SecretKeys): Promise<void> {
    const place = 'secret_key_check';
    const [row] = (await this.runner.query('SELECT ciphertext FROM secret_key_check')) as {
      ciphertext: string;
    }[];
    if (row !== undefined && !isCheckOf(keys, row.ciphertext))
      this.add({ place, problem: 'shows that SECRET_KEY is not the key of this database', rows: 1, ids: [] });
  }

  async find({ table, problem, query }: RowCheck): Promise<void> {
    await this.guarded(table, async () => {
      const [found] = (await this.runner.query(
        `WITH found AS (${query})
         SELECT (SELECT count(*)::float8 FROM found) AS rows,
                ARRAY(SELECT id::text FROM found ORDER BY 1 LIMIT ${MAX_IDS}) AS ids`,
      )) as { rows: number; ids: string[] }[];
      if (found !== undefined && found.rows > 0) this.add({ place: table, problem, ...found });
    });
  }

  /** @param place `table.column`; its values are read in parts. */
  async scan(
    place: string,
    idOf: IdOf,
    problem: string,
    isValid: (value: unknown) => boolean,
  ): Promise<void> {
    const [table, name] = partsOf(place);
    const column = `t.${escapeIdentifier(name)}`;
    await this.guarded(place, async () => {
      const finding: Finding = { place, problem, rows: 0, ids: [] };
      await this.runner.query(
        `DECLARE scan NO SCROLL CURSOR FOR
         SELECT ${idOf(table, 't')} AS id, ${column} AS value FROM ${escapeIdentifier(table)} t WHERE ${column} IS NOT NULL`,
      );
      for (let isFull = true; isFull;) {
        const rows = (await this.runner.query(`FETCH ${VALUES_AT_ONCE} FROM scan`)) as {
          id: string;
          value: unknown;
        }[];
        for (const { id, value } of rows)
          if (!isReadable(value, isValid) && finding.rows++ < MAX_IDS) finding.ids.push(id);
        isFull = rows.length === VALUES_AT_ONCE;
      }
      await this.runner.query('CLOSE scan');
      if (finding.rows > 0) this.add(finding);
    });
  }

  private add(finding: Finding): void {
    this.summary.findings.push(finding);
  }

  /** What PostgreSQL cannot read is a finding, and the others are checked nevertheless. */
  private async guarded(place: string, work: () => Promise<void>): Promise<void> {
    await this.runner.query('SAVEPOINT one_check');
    try {
      await work();
      await this.runner.query('RELEASE SAVEPOINT one_check');
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) throw error;
      await this.runner.query('ROLLBACK TO SAVEPOINT one_check');
      this.add({ place, problem: `cannot be read: PostgreSQL reports ${code}`, rows: 0, ids: [] });
    }
  }
}

/** JSON that is nested thousands of times is of no shape: functions that walk through it run out of stack. */
function isReadable(value: unknown, isValid: (value: unknown) => boolean): boolean {
  try {
    return isValid(value);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** JSON that contains envelopes was parsed. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
