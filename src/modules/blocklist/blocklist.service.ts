import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { domainAndParents } from '../../kernel/domain-name.js';
import type { Principal, TeamId } from '../../kernel/principal.js';
import { LimitReached } from '../../kernel/limit-reached.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { then, type Soon } from '../../kernel/soon.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { AlreadyBlocked } from './blocklist.errors.js';
import { BlocklistEntry } from './domain/blocklist-entry.js';
import { BlocklistRepository } from './domain/blocklist.repository.js';

/** The entry of a blocklist that a domain met. */
export interface BlocklistMatch {
  /** The blocked domain: the one that was asked about, or one above it. */
  pattern: string;
  source: 'team';
}

/** A list is read whole, again and again. Adders at the same moment may get a few past it. */
const MOST_ENTRIES = 10_000;

@Injectable()
export class BlocklistService {
  constructor(
    private readonly entries: BlocklistRepository,
    private readonly work: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  list(caller: Principal, request: PageRequest): Promise<Page<BlocklistEntry>> {
    return this.entries.page(caller.teamId, request);
  }

  /** @param domain A-label, lower case. @throws AlreadyBlocked, LimitReached */
  block(caller: Principal, domain: string, reason: string | null): Promise<BlocklistEntry> {
    const { teamId, userId } = caller;
    return this.work.run(async () => {
      const entry = new BlocklistEntry(teamId, domain, reason, userId, this.clock.now());
      if (!(await this.entries.add(entry))) throw new AlreadyBlocked();
      if ((await this.entries.count(teamId)) > MOST_ENTRIES)
        throw new LimitReached('blocklist_entries', MOST_ENTRIES);
      await this.record('blocklist.added', entry);
      return entry;
    });
  }

  /** @param domain A-label, lower case; perhaps never blocked. */
  unblock({ teamId }: Principal, domain: string): Promise<void> {
    return this.work.run(async () => {
      const removed = await this.entries.remove(teamId, domain);
      if (removed !== null) await this.record('blocklist.removed', removed);
    });
  }

  /**
   * Whether a team has blocked a domain, or one above it; the longest entry is named.
   *
   * @param domain A-label, lower case, no final dot.
   */
  match(teamId: TeamId, domain: string): Soon<BlocklistMatch | null> {
    return then(this.entries.domains(teamId), (blocked) => {
      const pattern = domainAndParents(domain).find((name) => blocked.has(name));
      return pattern === undefined ? null : { pattern, source: 'team' };
    });
  }

  /** The reason is the caller's own text and may name people: the domain is enough. */
  private record(action: string, { id, teamId, domain }: BlocklistEntry): Promise<void> {
    return this.audit.record({
      action,
      teamId,
      target: { type: 'blocklist_entry', id },
      details: { domain },
    });
  }
}
