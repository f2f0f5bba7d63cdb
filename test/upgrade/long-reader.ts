import { Client } from 'pg';
import type { Blocker } from '../../src/platform/database/migrate.js';

/** A report that reads a table in one transaction, until migrations have been blocked by it twice. */
export class LongReader {
  readonly application = 'a report';
  /** Who blocked a migration, each time. */
  readonly blockers: (readonly Blocker[])[] = [];

  private constructor(
    private readonly client: Client,
    readonly pid: number,
  ) {}

  static async start(url: string): Promise<LongReader> {
    const client = new Client({ connectionString: url, application_name: 'a report' });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await client.query('BEGIN; SELECT count(*) FROM api_keys');
    return new LongReader(client, rows[0]?.pid ?? 0);
  }

  blocks(blockers: readonly Blocker[]): void {
    this.blockers.push(blockers);
    if (this.blockers.length === 2) void this.end();
  }

  async end(): Promise<void> {
    await this.client.end();
  }
}
