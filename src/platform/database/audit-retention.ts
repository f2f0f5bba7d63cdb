import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { PostgresUnitOfWork } from './postgres-unit-of-work.js';
import { purge } from './purge.js';

/** What the table's trigger wants to hear before it lets a row go; ends with the transaction. */
const ALLOWED = `SET LOCAL rcpt.audit_retention = 'on'`;

/** The only way in which rows of the audit log are deleted. */
@Injectable()
export class AuditRetention {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly config: Config,
  ) {}

  /** @returns how many entries were older. */
  deleteOld(): Promise<number> {
    const where = `at < now() - $1 * interval '24 hours'`;
    const old = { table: 'audit_log', where, orderBy: 'at', values: [this.config.auditRetentionDays] };
    return purge(this.work, old, { setting: ALLOWED });
  }
}
