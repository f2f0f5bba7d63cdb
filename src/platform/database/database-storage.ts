import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type Logger } from 'typeorm';

/** SQLSTATEs of a server that can read and not write. */
const STORAGE_ERRORS: Readonly<Record<string, string>> = {
  '53100': 'The database cannot write: its disk is full.',
  '58030': 'The database cannot write: its disk reports an I/O error.',
};

/** Extends a file by a megabyte: a smaller write may fit into a page that exists. */
const PROBE = `
  CREATE TEMP TABLE storage_probe (filler text) ON COMMIT DROP;
  INSERT INTO storage_probe SELECT repeat('x', 1900) FROM generate_series(1, 500)`;

/** A sentence for a response; null: the error has another cause. */
export function storageError(thrown: unknown): string | null {
  const { code } = (thrown ?? {}) as { code?: unknown };
  return typeof code === 'string' ? (STORAGE_ERRORS[code] ?? null) : null;
}

/**
 * Whether the database can write. It is learned from failed queries, which TypeORM reports to its logger, so
 * that health checks write nothing while all is well. After a failure each check writes until one succeeds:
 * a process that gets no requests because it is not ready must notice that there is space again.
 */
@Injectable()
export class DatabaseStorage implements Logger, OnModuleInit {
  private error: string | null = null;
  private probing: Promise<void> | null = null;

  constructor(private readonly dataSource: DataSource) {}

  onModuleInit(): void {
    this.dataSource.setOptions({ logger: this });
  }

  /** Why the database cannot write; null: it can, as far as known. */
  async findError(): Promise<string | null> {
    if (this.error !== null) await (this.probing ??= this.probe().finally(() => (this.probing = null)));
    return this.error;
  }

  logQueryError(error: string | Error): void {
    this.error = storageError(error) ?? this.error;
  }

  logQuery(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}

  private async probe(): Promise<void> {
    try {
      // Several statements in one query are one transaction.
      await this.dataSource.query(PROBE);
      this.error = null;
    } catch (error) {
      // Another error, such as a missing privilege, says nothing. The next failed write reports the error again.
      this.error = storageError(error);
    }
  }
}
