import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** What a release answered to a GET. */
export interface Answer {
  /** Name of a key in `keys`. */
  by: string;
  path: string;
  status: number;
  body: unknown;
}

/** What is needed to read the database of a release. Made by `make-release-data.main.ts`. */
export interface ReleaseRecord {
  version: string;
  /** The time of the answers, by the clocks of the service and the database. */
  at: string;
  secretKey: string;
  /** Texts of API keys, by name. */
  keys: Record<string, string>;
  /** Ids of what the test continues, and secrets and tokens that the service gave out. */
  made: Record<string, string>;
  /** The objects at the payment provider. */
  stripe: { customers: [string, object][]; subscriptions: [string, object][]; invoices: object[] };
  /** A request with an `Idempotency-Key`, and its stored response. */
  repeated: { key: string; emails: string[]; body: unknown };
  answers: Answer[];
  /** Every statement that the service sent, with its parameters as `$1`, `$2` and so on. */
  statements: string[];
}

/** File → SHA-256 of each migration of the release. */
export type ReleasedMigrations = Record<string, string>;

export const HERE = import.meta.dirname;
const MIGRATIONS_FOLDER = join(HERE, '../../src/platform/database/migrations');

/** The versions with a record, such as `0.2.0`, the oldest first. */
export async function releases(): Promise<string[]> {
  const files = await readdir(HERE);
  const versions = files.flatMap((file) => /^(\d+\.\d+\.\d+)\.sql\.gz$/.exec(file)?.[1] ?? []);
  return versions.sort(compareVersions);
}

export function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** SQL for an empty database. */
export function dumpOf(version: string): Promise<string> {
  return unpacked(`${version}.sql.gz`);
}

export async function recordOf(version: string): Promise<ReleaseRecord> {
  return JSON.parse(await unpacked(`${version}.record.json.gz`)) as ReleaseRecord;
}

export async function releasedMigrations(version: string): Promise<ReleasedMigrations> {
  return JSON.parse(await readFile(join(HERE, `${version}.migrations.json`), 'utf8')) as ReleasedMigrations;
}

export async function presentMigrations(): Promise<ReleasedMigrations> {
  const files = (await readdir(MIGRATIONS_FOLDER)).sort();
  const hashed = files.map(async (file) => {
    // A checkout may have other line ends.
    const text = (await readFile(join(MIGRATIONS_FOLDER, file), 'utf8')).replaceAll('\r\n', '\n');
    return [file, createHash('sha256').update(text).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(hashed));
}

async function unpacked(file: string): Promise<string> {
  return gunzipSync(await readFile(join(HERE, file))).toString();
}
