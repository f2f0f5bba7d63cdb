import { Injectable } from '@nestjs/common';
import { AuditLog, type AuditFilter, type StoredAuditEntry } from '../../kernel/audit-log.js';
import type { Page, PageRequest } from '../../kernel/page.js';

/** Reads the audit log. The services that change something write to it. */
@Injectable()
export class AuditService {
  constructor(private readonly log: AuditLog) {}

  /** Newest first. Entries of deleted teams and users are included until their retention ends. */
  list(filter: AuditFilter, page: PageRequest): Promise<Page<StoredAuditEntry>> {
    return this.log.list(filter, page);
  }
}
