import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { isId } from '../../../../kernel/ids.js';
import type { KeyId, TeamId, UserId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import { keysetPage } from '../../../../platform/database/transactions/keyset-page.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { ApiKey } from '../domain/api-key.js';
import { ApiKeyRepository, type KeyUseOfMember } from '../domain/api-key.repository.js';

@Injectable()
export class PostgresApiKeyRepository extends ApiKeyRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async add(key: ApiKey): Promise<void> {
    await this.work.manager.insert(ApiKey, key);
  }

  async save({ id, name, expiresAt, revokedAt }: ApiKey): Promise<void> {
    await this.work.manager.update(ApiKey, { id }, { name, expiresAt, revokedAt });
  }

  findByDigest(digest: Buffer): Promise<ApiKey | null> {
    return this.work.manager.findOneBy(ApiKey, { digest });
  }

  async find(id: KeyId): Promise<ApiKey | null> {
    if (!isId('key', id)) return null;
    return this.work.manager.findOneBy(ApiKey, { id });
  }

  async findForUpdate(id: KeyId): Promise<ApiKey | null> {
    if (!isId('key', id)) return null;
    return this.select().where('key.id = :id', { id }).setLock('pessimistic_write').getOne();
  }

  isAnyUsed(): Promise<boolean> {
    return this.work.manager.existsBy(ApiKey, { lastUsedAt: Not(IsNull()) });
  }

  list(teamId: TeamId, page: PageRequest): Promise<Page<ApiKey>> {
    return keysetPage(this.select().where('key.teamId = :teamId', { teamId }), page);
  }

  listUnrevokedForUpdate(teamId: TeamId, userId: UserId, madeUntil: Date): Promise<ApiKey[]> {
    return this.select()
      .where('key.teamId = :teamId AND key.userId = :userId', { teamId, userId })
      .andWhere('key.revokedAt IS NULL AND key.createdAt <= :madeUntil', { madeUntil })
      .orderBy('key.id')
      .setLock('pessimistic_write')
      .getMany();
  }

  countValid(teamId: TeamId, userId: UserId | null, now: Date): Promise<number> {
    const query = this.valid(teamId, now).andWhere('NOT key.isSignIn AND key.client IS NULL');
    return (userId === null ? query : query.andWhere('key.userId = :userId', { userId })).getCount();
  }

  listSignInsForUpdate(teamId: TeamId, userId: UserId, now: Date): Promise<ApiKey[]> {
    return this.oldestFirst(teamId, userId, now, 'key.isSignIn');
  }

  listOfClientsForUpdate(teamId: TeamId, userId: UserId, now: Date): Promise<ApiKey[]> {
    return this.oldestFirst(teamId, userId, now, 'key.client IS NOT NULL');
  }

  private oldestFirst(teamId: TeamId, userId: UserId, now: Date, condition: string): Promise<ApiKey[]> {
    return this.valid(teamId, now)
      .andWhere(`${condition} AND key.userId = :userId`, { userId })
      .orderBy({ 'key.createdAt': 'ASC', 'key.id': 'ASC' })
      .setLock('pessimistic_write')
      .getMany();
  }

  async saveUses(uses: ReadonlyMap<KeyId, Date>): Promise<KeyUseOfMember[]> {
    const [saved] = await this.work.manager.query<[(KeyUseOfMember & { isOfMember: boolean })[], number]>(
      // Rows that another process saves, or a revocation holds, are not waited for.
      `WITH free AS (
         SELECT k.id, used.at FROM api_keys k JOIN unnest($1::text[], $2::timestamptz[]) AS used (id, at) USING (id)
          WHERE k.last_used_at IS NULL OR k.last_used_at < used.at
          ORDER BY k.id FOR NO KEY UPDATE OF k SKIP LOCKED
       )
       UPDATE api_keys SET last_used_at = free.at FROM free WHERE api_keys.id = free.id
        RETURNING team_id AS "teamId", user_id AS "userId", free.at,
                  user_id IS NOT NULL AND publishable IS NULL AS "isOfMember"`,
      [[...uses.keys()], [...uses.values()]],
    );
    return saved.filter(({ isOfMember }) => isOfMember);
  }

  private valid(teamId: TeamId, now: Date) {
    return this.select()
      .where('key.teamId = :teamId AND key.revokedAt IS NULL', { teamId })
      .andWhere('(key.expiresAt IS NULL OR key.expiresAt > :now)', { now });
  }

  private select() {
    return this.work.manager.createQueryBuilder(ApiKey, 'key');
  }
}
