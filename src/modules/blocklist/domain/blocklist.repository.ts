import type { TeamId } from '../../../kernel/principal.js';
import type { Soon } from '../../../kernel/soon.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import type { BlocklistEntry } from './blocklist-entry.js';

/** Port: the teams' blocklists. */
export abstract class BlocklistRepository {
  /** False: the team has this very domain already. */
  abstract add(entry: BlocklistEntry): Promise<boolean>;

  /** @returns what was removed; null: it was not there. */
  abstract remove(team: TeamId, domain: string): Promise<BlocklistEntry | null>;

  abstract page(team: TeamId, request: PageRequest): Promise<Page<BlocklistEntry>>;

  abstract count(team: TeamId): Promise<number>;

  /** The blocked domains from memory: at most 4 s behind other processes, never behind this one. */
  abstract domains(team: TeamId): Soon<ReadonlySet<string>>;
}
