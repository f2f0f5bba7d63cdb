import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { DataSource } from 'typeorm';
import { NOT_ARCHIVED, SCHEMAS } from '../../../src/modules/schema.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { checkSecretKeys } from '../../../src/platform/database/secret-key-check.js';
import { SecretKeys } from '../../../src/platform/secrets/secret-keys.js';
import { runRcpt, type CommandResult } from '../processes/run-rcpt.js';
import { aFreshDatabase, anEmptyDatabase } from './fresh-database.js';
import { contentsOf, plantRows } from './planted-rows.js';

type Database = Awaited<ReturnType<typeof aFreshDatabase>>;

/** A database with rows in every table, its archive, and an empty database for each test. */
export class BackupScene {
  readonly key = randomBytes(32).toString('base64');
  target: Database = { url: '', drop: () => Promise.resolve() };

  private constructor(
    readonly source: Database,
    readonly folder: string,
  ) {}

  static async open(): Promise<BackupScene> {
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-backup-'));
    const scene = new BackupScene(await aFreshDatabase(), folder);
    await onDatabase(scene.source.url, (found) => checkSecretKeys(found, new SecretKeys([scene.key])));
    await plantRows(scene.source.url);
    const { code, err } = await scene.backup(scene.archive);
    if (code !== 0) throw new Error(err);
    return scene;
  }

  get archive(): string {
    return join(this.folder, 'rcpt.backup');
  }

  async next(): Promise<void> {
    await this.target.drop();
    this.target = await anEmptyDatabase();
  }

  async close(): Promise<void> {
    await this.target.drop();
    await this.source.drop();
    await rm(this.folder, { recursive: true });
  }

  rcpt(args: string[], url: string, env: Record<string, string> = {}): Promise<CommandResult> {
    return runRcpt(args, { DATABASE_URL: url, SECRET_KEY: this.key, ...env });
  }

  backup(...args: string[]): Promise<CommandResult> {
    return this.rcpt(['backup', ...args], this.source.url);
  }

  restore(args: string[], env: Record<string, string> = {}): Promise<CommandResult> {
    return this.rcpt(['restore', ...args], this.target.url, env);
  }

  async isEmpty(): Promise<boolean> {
    return Object.values(await contentsOf(this.target.url)).every((rows) => rows.length === 0);
  }

  /** A FIFO from which the bytes can be read once, as from standard input. */
  async piped(bytes: Buffer): Promise<string> {
    const path = join(this.folder, `pipe-${randomBytes(4).toString('hex')}`);
    await promisify(execFile)('mkfifo', [path]);
    // The reader may stop before the end.
    pipeline([bytes], createWriteStream(path)).catch(() => undefined);
    return path;
  }
}

/** What an archive contains, of all that a database contains. */
export async function archivedOf(url: string): Promise<Record<string, string[]>> {
  return Object.fromEntries(
    Object.entries(await contentsOf(url)).filter(([name]) => !(name in NOT_ARCHIVED)),
  );
}

export async function onDatabase<T>(url: string, work: (found: DataSource) => Promise<T>): Promise<T> {
  const found = await createDataSource(url, SCHEMAS, 3).initialize();
  return work(found).finally(() => found.destroy());
}
