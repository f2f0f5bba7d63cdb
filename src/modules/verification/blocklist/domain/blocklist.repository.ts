import type { TeamId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { BlocklistEntry } from './blocklist-entry.js';

export abstract class BlocklistRepository {
  /** False: the team has already blocked this domain. */
  abstract add(entry: BlocklistEntry): Promise<boolean>;

  /** @returns the removed entry; null: there was none. */
  abstract delete(team: TeamId, domain: string): Promise<BlocklistEntry | null>;

  abstract list(team: TeamId, request: PageRequest): Promise<Page<BlocklistEntry>>;

  abstract count(team: TeamId): Promise<number>;

  /** The blocked domains, cached: changes by other processes take effect within 4 s, own changes at once. */
  abstract listDomains(team: TeamId): Promise<ReadonlySet<string>>;
}
