import { ArchiveRejected } from '../../../src/platform/database/archive/archive-rejected.js';
import type { ArchiveKeys } from '../../../src/platform/database/archive/archive-seal.js';
import { validateArchive } from '../../../src/platform/database/archive/read-archive.js';
import { MIGRATIONS } from '../../../src/platform/database/migrations.js';
import { fileOf } from './archive-files.js';

/** An archive of one table with two rows, and what reading one says. */

const migrations = MIGRATIONS.map(({ name }) => name);
export const MANIFEST = {
  format: 1,
  rcpt: '0.3.0',
  created_at: '2026-01-02T03:04:05.678Z',
  revision: migrations.at(-1),
  migrations,
  tables: [{ name: 'teams', columns: ['id', 'name'] }],
  left_out: ['migrations'],
};
export const manifest = fileOf('manifest.json', JSON.stringify(MANIFEST));
export const teams = fileOf('tables/teams.copy', 't1\tA\nt2\tB\n');
export const end = fileOf('end.json', '{"tables":[{"name":"teams","rows":2}],"sequences":[]}');
export const MEMBERS = [manifest, teams, end];
export const NO_KEYS: ArchiveKeys = {
  identities: [],
  isGiven: false,
  passphrase: () => Promise.reject<string>(new Error('asked')),
};

/** Counts what is read of it. */
export class Source {
  bytes = 0;
  readonly closed: Promise<void>;
  private close: () => void = () => undefined;

  constructor(private readonly parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    this.closed = new Promise((resolve) => (this.close = resolve));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      for await (const part of this.parts) {
        this.bytes += part.length;
        yield Buffer.from(part);
      }
    } finally {
      this.close();
    }
  }
}

export async function refusalOf(source: AsyncIterable<Buffer>, keys = NO_KEYS): Promise<string> {
  try {
    await validateArchive(source, keys);
    return 'accepted';
  } catch (error) {
    if (error instanceof ArchiveRejected) return error.message;
    throw error;
  }
}
