import { Injectable } from '@nestjs/common';
import { AuditLog, type AuditEntry } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { requestContext } from '../telemetry/request-context.js';
import { PostgresUnitOfWork } from './postgres-unit-of-work.js';

/** Append-only: a database trigger rejects updates and deletes. */
@Injectable()
export class PostgresAuditLog extends AuditLog {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly clock: Clock,
  ) {
    super();
  }

  async record({ action, teamId, target, details = {} }: AuditEntry): Promise<void> {
    const request = requestContext();
    const principal = request?.principal ?? null;
    // SQL is faster than a repository: the team is locked meanwhile.
    await this.work.manager.query(
      `INSERT INTO audit_log (at, action, team_id, target_type, target_id, details, actor_user_id, actor_key_id, ip, request_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        this.clock.now(),
        action,
        teamId,
        target.type,
        target.id,
        JSON.stringify(details),
        principal?.userId ?? null,
        principal?.keyId ?? null,
        request?.ip ?? null,
        request?.requestId ?? null,
      ],
    );
  }
}
