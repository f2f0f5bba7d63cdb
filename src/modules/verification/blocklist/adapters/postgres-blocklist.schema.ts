import { EntitySchema } from 'typeorm';
import { BlocklistEntry } from '../domain/blocklist-entry.js';

export const BlocklistEntrySchema = new EntitySchema<BlocklistEntry>({
  name: 'BlocklistEntry',
  target: BlocklistEntry,
  tableName: 'blocklist_entries',
  columns: {
    id: { type: 'text', primary: true },
    teamId: { name: 'team_id', type: 'text' },
    domain: { type: 'text' },
    reason: { type: 'text', nullable: true },
    createdBy: { name: 'created_by', type: 'text', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
  },
});
