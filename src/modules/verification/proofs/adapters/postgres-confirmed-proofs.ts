import { Injectable } from '@nestjs/common';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { ConfirmedProofs } from '../domain/confirmed-proofs.js';

@Injectable()
export class PostgresConfirmedProofs extends ConfirmedProofs {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async confirm(jti: string, expiresAt: Date): Promise<boolean> {
    const added = await this.work.manager.query<unknown[]>(
      'INSERT INTO confirmed_proofs (jti, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING jti',
      [jti, expiresAt],
    );
    return added.length === 1;
  }
}
