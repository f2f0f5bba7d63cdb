import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { PostgresUnitOfWork } from '../transactions/postgres-unit-of-work.js';
import { purge } from '../transactions/purge.js';

/** The setting with which the table's trigger permits deletes; valid until the end of the transaction. */
const ALLOW_DELETE = `SET LOCAL rcpt.audit_retention = 'on'`;

/** Deletes old rows of the audit log. No other code can delete them. */
@Injectable()
export class AuditRetention {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly config: Config,
  ) {}

  /** @returns the number of deleted entries. */
  deleteOld(): Promise<number> {
    const where = `at < now() - $1 * interval '24 hours'`;
    const expired = { table: 'audit_log', where, orderBy: 'at', values: [this.config.auditRetentionDays] };
    return purge(this.work, expired, { setting: ALLOW_DELETE });
  }
}
