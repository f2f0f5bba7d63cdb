import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ProcessRoles } from '../../config/process-roles.js';
import { Log } from '../../telemetry/log.js';
import { inDataDir } from './data-dir-error.js';
import { EmbeddedPostgres } from './embedded-postgres.js';

/** The embedded server of this process. It is not started if `DATABASE_URL` is set. */
@Injectable()
export class EmbeddedDatabase {
  private server: EmbeddedPostgres | null = null;

  constructor(
    private readonly config: Config,
    private readonly roles: ProcessRoles,
    private readonly log: Log,
  ) {}

  get isOpen(): boolean {
    return this.server !== null;
  }

  /**
   * Starts the embedded server if it is needed.
   *
   * @returns the URL of the database.
   * @throws ConfigError when `DATA_DIR` cannot be used.
   * @throws Error when another process is the service of the same `DATA_DIR`.
   */
  async url(): Promise<string> {
    const { databaseUrl, dataDir } = this.config;
    if (databaseUrl !== null) return databaseUrl;
    const log = (line: string) => this.log.info({ part: 'embedded database' }, line);
    const service = this.roles.api || this.roles.worker;
    this.server = await inDataDir(dataDir, () => EmbeddedPostgres.open({ dataDir, log, service }));
    return this.server.url;
  }

  async close(): Promise<void> {
    await this.server?.close();
    this.server = null;
  }
}
