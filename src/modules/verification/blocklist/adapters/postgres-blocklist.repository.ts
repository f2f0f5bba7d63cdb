import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import type { TeamId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import { insertNew } from '../../../../platform/database/transactions/insert-new.js';
import { keysetPage } from '../../../../platform/database/transactions/keyset-page.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { TtlCache } from '../../../../platform/memory/ttl-cache.js';
import { BlocklistEntry } from '../domain/blocklist-entry.js';
import { BlocklistRepository } from '../domain/blocklist.repository.js';

const MAX_TEAMS = 500;

@Injectable()
export class PostgresBlocklistRepository extends BlocklistRepository {
  private readonly cache: TtlCache<ReadonlySet<string>>;

  constructor(
    private readonly work: PostgresUnitOfWork,
    clock: Clock,
  ) {
    super();
    this.cache = new TtlCache(clock, MAX_TEAMS);
  }

  async add(entry: BlocklistEntry): Promise<boolean> {
    this.evict(entry.teamId);
    return insertNew(this.work.manager, entry);
  }

  async delete(teamId: TeamId, domain: string): Promise<BlocklistEntry | null> {
    const entry = await this.work.manager.findOneBy(BlocklistEntry, { teamId, domain });
    if (entry === null) return null;
    const { affected } = await this.work.manager.delete(BlocklistEntry, { id: entry.id });
    this.evict(teamId);
    return affected === 1 ? entry : null;
  }

  list(teamId: TeamId, request: PageRequest): Promise<Page<BlocklistEntry>> {
    return keysetPage(this.ofTeam(teamId), request);
  }

  count(teamId: TeamId): Promise<number> {
    return this.work.manager.countBy(BlocklistEntry, { teamId });
  }

  listDomains(teamId: TeamId): Promise<ReadonlySet<string>> {
    return this.cache.get(teamId, async () => {
      // Without entities: every verification needs the set, and there may be thousands of rows.
      const rows = await this.ofTeam(teamId)
        .select('entry.domain', 'domain')
        .getRawMany<{ domain: string }>();
      return new Set(rows.map(({ domain }) => domain));
    });
  }

  private ofTeam(teamId: TeamId) {
    return this.work.manager.createQueryBuilder(BlocklistEntry, 'entry').where({ teamId });
  }

  private evict(teamId: TeamId): void {
    this.work.afterCommit(() => this.cache.delete(teamId));
  }
}
