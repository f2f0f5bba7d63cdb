import { EntitySchema } from 'typeorm';
import { BlocklistEntry } from '../domain/blocklist-entry.js';

export const BlocklistEntrySchema = new EntitySchema<BlocklistEntry>({
  name: 'BlocklistEntry',
  target: BlocklistEntry,
  tableName: 'blocklist_entries',
  columns: {
    id: { type: 'text', primary: true },
    teamId: {
      name: 'team_id',
      type: 'text',
      foreignKey: { target: 'Team', name: 'blocklist_entries_team_id_fkey', onDelete: 'CASCADE' },
    },
    domain: { type: 'text' },
    reason: { type: 'text', nullable: true },
    createdBy: {
      name: 'created_by',
      type: 'text',
      nullable: true,
      foreignKey: { target: 'User', name: 'blocklist_entries_created_by_fkey', onDelete: 'SET NULL' },
    },
    createdAt: { name: 'created_at', type: 'timestamptz' },
  },
  uniques: [{ name: 'blocklist_entries_team_id_domain_key', columns: ['teamId', 'domain'] }],
  indices: [
    { name: 'blocklist_entries_creator', columns: ['createdBy'] },
    { name: 'blocklist_entries_page', columns: ['teamId', 'createdAt', 'id'] },
  ],
});
