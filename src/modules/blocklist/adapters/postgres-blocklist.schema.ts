import { EntitySchema } from 'typeorm';
import { referenceColumn } from '../../../platform/database/reference-column.js';
import { BlocklistEntry } from '../domain/blocklist-entry.js';

export const BlocklistEntrySchema = new EntitySchema<BlocklistEntry>({
  name: 'BlocklistEntry',
  target: BlocklistEntry,
  tableName: 'blocklist_entries',
  columns: {
    id: { type: 'text', primary: true },
    teamId: referenceColumn('blocklist_entries', 'team_id', 'Team'),
    domain: { type: 'text' },
    reason: { type: 'text', nullable: true },
    createdBy: referenceColumn('blocklist_entries', 'created_by', 'User', {
      nullable: true,
      onDelete: 'SET NULL',
    }),
    createdAt: { name: 'created_at', type: 'timestamptz' },
  },
  uniques: [{ name: 'blocklist_entries_team_id_domain_key', columns: ['teamId', 'domain'] }],
  indices: [
    { name: 'blocklist_entries_creator', columns: ['createdBy'] },
    { name: 'blocklist_entries_page', columns: ['teamId', 'createdAt', 'id'] },
  ],
});
