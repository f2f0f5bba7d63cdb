import { z } from 'zod';
import { listOf } from '../../platform/http/cursor.js';
import { DomainField, remarkOf } from '../../platform/http/fields.js';
import type { BlocklistEntry } from './domain/blocklist-entry.js';

export const BlocklistAdd = z
  .strictObject({
    domain: DomainField,
    reason: remarkOf(200).meta({ description: 'Why, for those who read the list later.' }),
  })
  .meta({ id: 'BlocklistAdd' });

export const BlockedDomain = z.strictObject({ domain: DomainField });

export const BlocklistEntryResponse = z
  .strictObject({
    domain: z.string().meta({ description: 'A-label, lower case; covers its subdomains.' }),
    reason: z.string().nullable(),
    created_at: z.iso.datetime(),
    created_by: z.string().nullable().meta({ description: 'The user; null: a service key.' }),
  })
  .meta({ id: 'BlocklistEntry' });
export type BlocklistEntryResponse = z.infer<typeof BlocklistEntryResponse>;

export const BlocklistPage = listOf(BlocklistEntryResponse);
export type BlocklistPage = z.infer<typeof BlocklistPage>;

export function toResponse(entry: BlocklistEntry): BlocklistEntryResponse {
  return {
    domain: entry.domain,
    reason: entry.reason,
    created_at: entry.createdAt.toISOString(),
    created_by: entry.createdBy,
  };
}
