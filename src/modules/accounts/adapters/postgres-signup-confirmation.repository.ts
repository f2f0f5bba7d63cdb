import { Injectable } from '@nestjs/common';
import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import { SecretKeys } from '../../../platform/secrets/secret-keys.js';
import type { SignupConfirmation } from '../domain/signup-confirmation.js';
import { SignupConfirmationRepository } from '../domain/signup-confirmation.repository.js';
import { SignupConfirmationRowSchema } from './postgres-signup-confirmation.schema.js';

@Injectable()
export class PostgresSignupConfirmationRepository extends SignupConfirmationRepository {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
  ) {
    super();
  }

  async add({ userId, teamId, tokenDigest, expiresAt }: SignupConfirmation): Promise<void> {
    const row = { userId, teamId, tokenDigest, expiresAt };
    await this.work.manager.insert(SignupConfirmationRowSchema, row);
  }

  async consume(tokenDigest: Buffer, now: Date): Promise<SignupConfirmation | null> {
    const [consumed] = await this.work.manager.query<[SignupConfirmation[], number]>(
      `DELETE FROM signup_confirmations WHERE token_digest = $1 AND expires_at > $2
       RETURNING user_id AS "userId", team_id AS "teamId", token_digest AS "tokenDigest", expires_at AS "expiresAt"`,
      [tokenDigest, now],
    );
    return consumed[0] ?? null;
  }

  async countMail(subject: string, now: Date, most: number): Promise<boolean> {
    const counted = await this.work.manager.query<unknown[]>(
      `INSERT INTO signup_mail_counts AS c (day, counted, mails) VALUES ($1, $2, 1)
       ON CONFLICT (day, counted) DO UPDATE SET mails = c.mails + 1 WHERE c.mails < $3
       RETURNING mails`,
      [dayOf(now), this.keys.hashAddress(`signup mail ${subject}`), most],
    );
    return counted.length > 0;
  }
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}
