import { Injectable } from '@nestjs/common';
import { AuditLog, type AuditFilter, type StoredAuditEntry } from '../../kernel/audit-log.js';
import type { Page, PageRequest, Position } from '../../kernel/page.js';

const PAGE = 100;

/** Reads the audit log. The services that change something write to it. */
@Injectable()
export class AuditService {
  constructor(private readonly log: AuditLog) {}

  /** Newest first. Entries of deleted teams and users are included until their retention ends. */
  list(filter: AuditFilter, page: PageRequest): Promise<Page<StoredAuditEntry>> {
    return this.log.list(filter, page);
  }

  /** All entries, newest first, at the pace of the consumer. */
  async *all(filter: AuditFilter): AsyncIterable<readonly StoredAuditEntry[]> {
    let after: Position | null = null;
    do {
      const page: Page<StoredAuditEntry> = await this.log.list(filter, { limit: PAGE, after });
      yield page.items;
      after = page.next;
    } while (after !== null);
  }
}
