import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import type { UserId } from '../../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import { SIGN_IN_TOKEN, type SignInLink, type SignInRequest } from '../domain/sign-in-link.js';
import { SignInLinkRepository, type ClaimedRequest } from '../domain/sign-in-link.repository.js';
import { SignInLinkRowSchema } from './postgres-sign-in-link.schema.js';

@Injectable()
export class PostgresSignInLinkRepository extends SignInLinkRepository {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
  ) {
    super();
  }

  async addRequest({ id, email, language, source, expiresAt }: SignInRequest): Promise<void> {
    const ciphertext = this.keys.encrypt(JSON.stringify({ email, language, source }));
    await this.work.manager.insert(SignInLinkRowSchema, { id, ciphertext, expiresAt });
  }

  async claimRequests(now: Date, limit: number): Promise<ClaimedRequest[]> {
    const rows = await this.work.manager.query<{ id: string; ciphertext: string; expiresAt: Date }[]>(
      `SELECT id, ciphertext, expires_at AS "expiresAt" FROM sign_in_links
        WHERE user_id IS NULL AND expires_at > $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [now, limit],
    );
    return rows.map(({ id, ciphertext, expiresAt }) => {
      const text = this.decrypt(ciphertext);
      const request = text === null ? null : (JSON.parse(text) as ClaimedRequest['request']);
      return { id, expiresAt, request };
    });
  }

  async addSent({ id, userId, token, expiresAt }: SignInLink): Promise<void> {
    const ciphertext = this.keys.encrypt(token);
    const row = { id, userId, ciphertext, tokenDigest: SIGN_IN_TOKEN.digest(token), expiresAt };
    await this.work.manager.upsert(SignInLinkRowSchema, row, ['id']);
  }

  async findLatestSent(userId: UserId, now: Date): Promise<SignInLink | null> {
    const link = await this.work.manager.findOne(SignInLinkRowSchema, {
      where: { userId, expiresAt: MoreThan(now) },
      order: { expiresAt: 'DESC', id: 'DESC' },
    });
    const token = link && this.decrypt(link.ciphertext);
    if (link === null || token === null) return null;
    return { id: link.id, userId, token, expiresAt: link.expiresAt };
  }

  async delete(id: string): Promise<void> {
    await this.work.manager.delete(SignInLinkRowSchema, { id });
  }

  async findUser(tokenDigest: Buffer, now: Date): Promise<UserId | null> {
    const where = { tokenDigest, expiresAt: MoreThan(now) };
    const link = await this.work.manager.findOneBy(SignInLinkRowSchema, where);
    return link?.userId ?? null;
  }

  async consume(tokenDigest: Buffer, userId: UserId): Promise<string[] | null> {
    const [used] = await this.work.manager.query<[{ id: string }[], number]>(
      'DELETE FROM sign_in_links WHERE token_digest = $1 RETURNING id',
      [tokenDigest],
    );
    if (used.length === 0) return null;
    const [others] = await this.work.manager.query<[{ id: string }[], number]>(
      'DELETE FROM sign_in_links WHERE user_id = $1 RETURNING id',
      [userId],
    );
    return [...used, ...others].map(({ id }) => id);
  }

  private decrypt(ciphertext: string): string | null {
    try {
      return this.keys.decrypt(ciphertext);
    } catch {
      // `SECRET_KEY` no longer lists the key.
      return null;
    }
  }
}
