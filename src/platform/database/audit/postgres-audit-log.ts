import { Injectable } from '@nestjs/common';
import {
  AuditLog,
  type AuditEntry,
  type AuditFilter,
  type StoredAuditEntry,
} from '../../../kernel/audit-log.js';
import { Clock } from '../../../kernel/clock.js';
import { newId } from '../../../kernel/ids.js';
import { pageOf, type Page, type PageRequest } from '../../../kernel/page.js';
import { requestContext } from '../../telemetry/request-context.js';
import { AuditLogRowSchema, type AuditLogRow } from './postgres-audit-log.schema.js';
import { PostgresUnitOfWork } from '../transactions/postgres-unit-of-work.js';

/** A position contains the id, because `seq` counts the entries of all teams. An entry that was deleted meanwhile was the oldest. */
const SEQ_OF_LAST = '(SELECT last.seq FROM audit_log last WHERE last.at = :at AND last.id = :id)';

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
      `INSERT INTO audit_log (id, at, action, team_id, target_type, target_id, details, actor_user_id, actor_key_id, ip, request_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        newId('aud'),
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

  async list(
    { teamId, actor, action, from, to }: AuditFilter,
    page: PageRequest,
  ): Promise<Page<StoredAuditEntry>> {
    const query = this.work.manager
      .createQueryBuilder(AuditLogRowSchema, 'entry')
      .orderBy({ 'entry.at': 'DESC', 'entry.seq': 'DESC' })
      .limit(page.limit + 1);
    if (teamId !== null) query.andWhere('entry.teamId = :teamId', { teamId });
    if (actor !== null)
      query.andWhere('userId' in actor ? 'entry.actorUserId = :userId' : 'entry.actorKeyId = :keyId', actor);
    if (action !== null) query.andWhere('entry.action = :action', { action });
    if (from !== null) query.andWhere('entry.at >= :from', { from });
    if (to !== null) query.andWhere('entry.at < :to', { to });
    if (page.after !== null) query.andWhere(`(entry.at, entry.seq) < (:at, ${SEQ_OF_LAST})`, page.after);
    const { items, next } = pageOf(await query.getMany(), page, ({ at, id }) => ({ at, id }));
    return { items: items.map(entryOf), next };
  }
}

function entryOf(row: AuditLogRow): StoredAuditEntry {
  return {
    id: row.id,
    at: row.at,
    action: row.action,
    teamId: row.teamId,
    target: { type: row.targetType, id: row.targetId },
    details: row.details,
    actor: { userId: row.actorUserId, keyId: row.actorKeyId, networkAddress: row.ip },
    requestId: row.requestId,
  };
}
