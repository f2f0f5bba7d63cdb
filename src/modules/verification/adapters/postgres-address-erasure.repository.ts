import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import type { TeamId } from '../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import { AddressErasureRepository } from '../domain/address-erasure.repository.js';
import { AddressFactsRowSchema } from './postgres-address-facts.schema.js';
import { RecheckRowSchema } from './postgres-recheck.schema.js';

@Injectable()
export class PostgresAddressErasureRepository extends AddressErasureRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  // By team, because the primary key begins with it: a scan of all facts would take too long.
  async eraseFacts(teams: readonly TeamId[], addressHash: Buffer): Promise<number> {
    const those = { teamId: In([...teams]), addressHash };
    const { affected } = await this.work.manager.delete(AddressFactsRowSchema, those);
    return affected ?? 0;
  }

  async eraseDeferredChecks(addressHash: Buffer): Promise<number> {
    const those = { addressHash, list: IsNull() };
    const { affected } = await this.work.manager.delete(RecheckRowSchema, those);
    return affected ?? 0;
  }
}
