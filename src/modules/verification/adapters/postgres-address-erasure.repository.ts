import type { TeamId } from '../../../kernel/principal.js';
import type { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import { AddressErasureRepository } from '../domain/address-erasure.repository.js';

export class PostgresAddressErasureRepository extends AddressErasureRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  // By team, because the primary key begins with it: a look through all facts would take too long.
  eraseFacts(teams: readonly TeamId[], hash: Buffer): Promise<number> {
    return this.erase('DELETE FROM address_facts WHERE team_id = ANY($1) AND address_hash = $2', [
      teams,
      hash,
    ]);
  }

  eraseDeferredChecks(hash: Buffer): Promise<number> {
    return this.erase('DELETE FROM rechecks WHERE address_hash = $1 AND list IS NULL', [hash]);
  }

  private async erase(sql: string, values: unknown[]): Promise<number> {
    const [, count] = await this.work.manager.query<[unknown, number]>(sql, values);
    return count;
  }
}
