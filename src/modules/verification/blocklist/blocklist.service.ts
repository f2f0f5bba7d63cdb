import { Injectable } from '@nestjs/common';
import type { ListEntry } from '../../../engine/lists/domain-list.js';
import { AuditLog } from '../../../kernel/audit-log.js';
import { Clock } from '../../../kernel/clock.js';
import { domainAndParents } from '../../../kernel/text/domain-name.js';
import type { Principal, TeamId } from '../../../kernel/principal.js';
import { LimitReached } from '../../../kernel/errors.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { AlreadyBlocked } from './blocklist.errors.js';
import { BlocklistEntry } from './domain/blocklist-entry.js';
import { BlocklistRepository } from './domain/blocklist.repository.js';

/** A list is read as a whole. Concurrent calls may exceed it slightly. */
const MAX_ENTRIES = 10_000;

@Injectable()
export class BlocklistService {
  constructor(
    private readonly entries: BlocklistRepository,
    private readonly work: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  list(caller: Principal, request: PageRequest): Promise<Page<BlocklistEntry>> {
    return this.entries.list(caller.teamId, request);
  }

  /** @param domain A-label, lower case. @throws AlreadyBlocked, LimitReached */
  block(caller: Principal, domain: string, reason: string | null): Promise<BlocklistEntry> {
    const { teamId, userId } = caller;
    return this.work.run(async () => {
      const entry = new BlocklistEntry(teamId, domain, reason, userId, this.clock.now());
      if (!(await this.entries.add(entry))) throw new AlreadyBlocked();
      if ((await this.entries.count(teamId)) > MAX_ENTRIES)
        throw new LimitReached('blocklist_entries', MAX_ENTRIES);
      await this.record('blocklist.added', entry);
      return entry;
    });
  }

  /** @param domain A-label, lower case; need not be blocked. */
  unblock({ teamId }: Principal, domain: string): Promise<void> {
    return this.work.run(async () => {
      const removed = await this.entries.delete(teamId, domain);
      if (removed !== null) await this.record('blocklist.removed', removed);
    });
  }

  /** Finds the longest entry that contains a domain (A-label, lower case, no final dot). */
  async matcher(teamId: TeamId): Promise<(domain: string) => ListEntry | null> {
    const blocked = await this.entries.listDomains(teamId);
    return (domain) => {
      if (blocked.size === 0) return null;
      const pattern = domainAndParents(domain).find((name) => blocked.has(name));
      return pattern === undefined ? null : { pattern, source: 'team' };
    };
  }

  /** The reason is the caller's own text and may name people, so only the domain is logged. */
  private record(action: string, { id, teamId, domain }: BlocklistEntry): Promise<void> {
    return this.audit.record({
      action,
      teamId,
      target: { type: 'blocklist_entry', id },
      details: { domain },
    });
  }
}
