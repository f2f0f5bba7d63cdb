import type { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import { ApiKey } from '../domain/api-key.js';
import { ApiKeyRepository } from '../domain/api-key.repository.js';

export class PostgresApiKeyRepository extends ApiKeyRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async add(key: ApiKey): Promise<void> {
    await this.work.manager.insert(ApiKey, key);
  }

  byDigest(digest: Buffer): Promise<ApiKey | null> {
    return this.work.manager.findOneBy(ApiKey, { digest });
  }
}
