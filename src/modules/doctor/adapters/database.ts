import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Config } from '../../../platform/config/config.js';
import { createDataSource } from '../../../platform/database/data-source.js';
import { EmbeddedPostgres } from '../../../platform/database/embedded/embedded-postgres.js';

type Opened = { dataSource: DataSource } | { absent: true } | { error: string };

/** The database, opened once for all checks; nothing is created or changed. */
export class Database {
  private opening: Promise<Opened> | null = null;
  private embedded: EmbeddedPostgres | null = null;

  constructor(private readonly config: Config) {}

  /** Never rejects. */
  opened(): Promise<Opened> {
    return (this.opening ??= this.open().catch((error: Error) => ({ error: messageOf(error) })));
  }

  async close(): Promise<void> {
    const opened = await this.opened();
    if ('dataSource' in opened) await opened.dataSource.destroy();
    await this.embedded?.close();
  }

  private async open(): Promise<Opened> {
    const { databaseUrl, dataDir } = this.config;
    if (databaseUrl === null && !existsSync(join(dataDir, 'postgres'))) return { absent: true };
    if (databaseUrl === null) this.embedded = await EmbeddedPostgres.open({ dataDir, log: () => undefined });
    const dataSource = createDataSource(databaseUrl ?? this.embedded?.url ?? '', [], 1);
    await dataSource.initialize();
    return { dataSource };
  }
}

/** The system's error code, if any. Messages may contain the connection string and its password. */
function messageOf(error: Error & { code?: string }): string {
  return error.code ?? error.message.split('\n', 1)[0]!.slice(0, 200);
}
