import { PickType } from '@nestjs/swagger';
import { pageOf } from '../../../platform/http/paging/cursor.js';
import { DomainName, Id, Remark, Schema, Text, Time } from '../../../platform/http/validation/fields.js';
import type { BlocklistEntry } from './domain/blocklist-entry.js';

@Schema('BlocklistAdd')
export class BlocklistAdd {
  @DomainName()
  domain: string;

  @Remark(200, {
    default: null,
    description: 'The reason, for readers of the list.',
    example: 'Competitor',
  })
  reason: string | null = null;
}

export class BlockedDomain extends PickType(BlocklistAdd, ['domain']) {}

@Schema('BlocklistEntry')
export class BlocklistEntryResponse {
  @Text({ description: 'A-label, lower case; covers its subdomains.', example: 'example.com' })
  domain: string;

  @Text({ nullable: true, example: 'Competitor' })
  reason: string | null;

  @Time()
  created_at: string;

  @Id('usr', { nullable: true, description: 'The user; null: a service key.' })
  created_by: string | null;
}

@Schema('BlocklistPage')
export class BlocklistPage extends pageOf(BlocklistEntryResponse) {}

export function toResponse({ domain, reason, createdAt, createdBy }: BlocklistEntry): BlocklistEntryResponse {
  return { domain, reason, created_at: createdAt.toISOString(), created_by: createdBy };
}
