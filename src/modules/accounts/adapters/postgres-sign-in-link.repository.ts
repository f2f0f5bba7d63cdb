import { Injectable } from '@nestjs/common';
import type { UserId } from '../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import { purge } from '../../../platform/database/purge.js';
import { SecretKeys } from '../../../platform/secrets/secret-keys.js';
import type { SignInLink, SignInRequest } from '../domain/sign-in-link.js';
import { SignInLinkRepository } from '../domain/sign-in-link.repository.js';
import { SignInLinkRowSchema } from './postgres-sign-in-link.schema.js';

@Injectable()
export class PostgresSignInLinkRepository extends SignInLinkRepository {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
  ) {
    super();
  }

  async addRequest({ id, email, expiresAt }: SignInRequest): Promise<void> {
    await this.work.manager.insert(SignInLinkRowSchema, {
      id,
      ciphertext: this.keys.encrypt(email),
      expiresAt,
    });
  }

  async claimRequests(now: Date, limit: number) {
    const rows = await this.work.manager.query<{ id: string; ciphertext: string; expiresAt: Date }[]>(
      `SELECT id, ciphertext, expires_at AS "expiresAt" FROM sign_in_links
        WHERE ciphertext IS NOT NULL AND expires_at > $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [now, limit],
    );
    return rows.map(({ ciphertext, ...row }) => ({ ...row, email: this.decrypt(ciphertext) }));
  }

  async markSent({ id, userId, tokenDigest }: SignInLink): Promise<void> {
    await this.work.manager.update(SignInLinkRowSchema, { id }, { userId, tokenDigest, ciphertext: null });
  }

  async remove(id: string): Promise<void> {
    await this.work.manager.delete(SignInLinkRowSchema, { id });
  }

  async userOf(tokenDigest: Buffer, now: Date): Promise<UserId | null> {
    const [row] = await this.work.manager.query<{ userId: UserId }[]>(
      'SELECT user_id AS "userId" FROM sign_in_links WHERE token_digest = $1 AND expires_at > $2',
      [tokenDigest, now],
    );
    return row?.userId ?? null;
  }

  async use(tokenDigest: Buffer, userId: UserId): Promise<string[] | null> {
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

  eraseExpired(now: Date): Promise<number> {
    const expired = { where: 'expires_at <= $1', orderBy: 'expires_at', values: [now] };
    return purge(this.work, { table: 'sign_in_links', ...expired });
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
