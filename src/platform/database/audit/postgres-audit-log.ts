import { Injectable } from '@nestjs/common';
import {
  AuditLog,
  type AuditEntry,
  type AuditFilter,
  type StoredAuditEntry,
} from '../../../kernel/audit-log.js';
import { Clock } from '../../../kernel/clock.js';
import { newId } from '../../../kernel/ids.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import { requestContexts } from '../../telemetry/request-context.js';
import { keysetPage } from '../transactions/keyset-page.js';
import { PostgresUnitOfWork } from '../transactions/postgres-unit-of-work.js';
import { type AuditLogRow, AuditLogRowSchema } from './postgres-audit-log.schema.js';

@Injectable()
export class PostgresAuditLog extends AuditLog {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly clock: Clock,
  ) {
    super();
  }

  async record({ action, teamId, target, details = {}, isByOperator }: AuditEntry): Promise<void> {
    const request = isByOperator === true ? null : requestContexts.value;
    const principal = request?.principal ?? null;
    await this.work.manager.insert(AuditLogRowSchema, {
      id: newId('aud'),
      at: this.clock.now(),
      action,
      teamId,
      targetType: target.type,
      targetId: target.id,
      details: details as object,
      actorUserId: principal?.userId ?? null,
      actorKeyId: principal?.keyId ?? null,
      ip: request?.ip ?? null,
      requestId: request?.requestId ?? null,
    });
  }

  async list(
    { teamId, actor, action, from, to }: AuditFilter,
    page: PageRequest,
  ): Promise<Page<StoredAuditEntry>> {
    const query = this.work.manager.createQueryBuilder(AuditLogRowSchema, 'entry');
    if (teamId !== null) query.andWhere('entry.teamId = :teamId', { teamId });
    if (actor !== null)
      query.andWhere('userId' in actor ? 'entry.actorUserId = :userId' : 'entry.actorKeyId = :keyId', actor);
    if (action !== null) query.andWhere('entry.action = :action', { action });
    if (from !== null) query.andWhere('entry.at >= :from', { from });
    if (to !== null) query.andWhere('entry.at < :to', { to });
    const after = await this.orderOf(page.after);
    if (page.after !== null && after === null) return { items: [], next: null };
    const { items, next } = await keysetPage(query, { ...page, after }, { at: 'at', id: 'seq' });
    const last = items.at(-1);
    return { items: items.map(entryOf), next: next && last ? { at: last.at, id: last.id } : null };
  }

  /** A position contains the id, because `seq` counts the entries of all teams. null: the entry was deleted, so it was the oldest. */
  private async orderOf(position: PageRequest['after']): Promise<PageRequest['after']> {
    if (position === null) return null;
    const { at, id } = position;
    const entry = await this.work.manager.findOne(AuditLogRowSchema, {
      where: { at, id },
      select: { seq: true },
    });
    return entry && { at, id: entry.seq };
  }
}

function entryOf(row: AuditLogRow): StoredAuditEntry {
  const { id, at, action, teamId, details, requestId } = row;
  const target = { type: row.targetType, id: row.targetId };
  const actor = { userId: row.actorUserId, keyId: row.actorKeyId, networkAddress: row.ip };
  return { id, at, action, teamId, target, details, actor, requestId };
}
