import { Injectable } from '@nestjs/common';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import type { SignupConfirmation } from '../domain/signup-confirmation.js';
import { SignupConfirmationRepository } from '../domain/signup-confirmation.repository.js';
import { SignupConfirmationRowSchema } from './postgres-signup-confirmation.schema.js';

@Injectable()
export class PostgresSignupConfirmationRepository extends SignupConfirmationRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
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
}
