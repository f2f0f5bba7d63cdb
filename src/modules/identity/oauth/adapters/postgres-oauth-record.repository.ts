import { Injectable } from '@nestjs/common';
import { IsNull, LessThan, MoreThan } from 'typeorm';
import { hash } from 'node:crypto';
import type { KeyId } from '../../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import {
  OAuthRecordRepository,
  type NewOAuthRecord,
  type OAuthModel,
  type OAuthRecord,
} from '../domain/oauth-record.repository.js';
import { OAuthRecordRowSchema, type OAuthRecordRow } from './postgres-oauth-record.schema.js';

/** The types of TypeORM take no member of an unknown type. */
type OAuthRecordInsert = Omit<OAuthRecordRow, 'consumedAt' | 'payload'> & { payload: object };

@Injectable()
export class PostgresOAuthRecordRepository extends OAuthRecordRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async save(model: OAuthModel, id: string, { grantId, clientId, ...record }: NewOAuthRecord): Promise<void> {
    const grantDigest = grantId === null ? null : digestOf(grantId);
    const clientDigest = clientId === null ? null : digestOf(clientId);
    const row: OAuthRecordInsert = { ...record, model, digest: digestOf(id), grantDigest, clientDigest };
    await this.work.manager.upsert(OAuthRecordRowSchema, row, ['model', 'digest']);
  }

  async replace(model: OAuthModel, id: string, payload: OAuthRecord['payload']): Promise<boolean> {
    const changes = { payload } as object;
    const where = { model, digest: digestOf(id) };
    const { affected } = await this.work.manager.update(OAuthRecordRowSchema, where, changes);
    return affected === 1;
  }

  async find(model: OAuthModel, id: string, now: Date): Promise<OAuthRecord | null> {
    const where = { model, digest: digestOf(id), expiresAt: MoreThan(now) };
    return this.work.manager.findOneBy(OAuthRecordRowSchema, where);
  }

  async consume(model: OAuthModel, id: string, now: Date): Promise<boolean> {
    const where = { model, digest: digestOf(id), consumedAt: IsNull() };
    const { affected } = await this.work.manager.update(OAuthRecordRowSchema, where, { consumedAt: now });
    return affected === 1;
  }

  async extend(model: OAuthModel, id: string, expiresAt: Date): Promise<void> {
    const where = { model, digest: digestOf(id), expiresAt: LessThan(expiresAt) };
    await this.work.manager.update(OAuthRecordRowSchema, where, { expiresAt });
  }

  async delete(model: OAuthModel, id: string): Promise<void> {
    await this.work.manager.delete(OAuthRecordRowSchema, { model, digest: digestOf(id) });
  }

  async deleteGrant(grantId: string): Promise<void> {
    await this.work.manager.delete(OAuthRecordRowSchema, { grantDigest: digestOf(grantId) });
  }

  async listKeysOfGrants(clientId: string, now: Date, limit: number): Promise<KeyId[]> {
    const rows = await this.work.manager.find(OAuthRecordRowSchema, {
      select: { model: true, digest: true, keyId: true },
      where: { clientDigest: digestOf(clientId), expiresAt: MoreThan(now) },
      order: { expiresAt: 'DESC' },
      take: limit,
    });
    return rows.flatMap(({ keyId }) => keyId ?? []);
  }
}

/** A plain hash suffices, because ids are random. */
function digestOf(id: string): Buffer {
  return hash('sha256', id, 'buffer');
}
