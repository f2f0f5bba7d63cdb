import { EntitySchema } from 'typeorm';

/** A check that a mail server deferred; `listId` is null for a single check. */
export const RecheckRowSchema = new EntitySchema({
  name: 'RecheckRow',
  tableName: 'rechecks',
  columns: {
    id: { type: 'text', primary: true },
    teamId: { name: 'team_id', type: 'text' },
    listId: { name: 'list', type: 'bigint', nullable: true },
    addressHash: { name: 'address_hash', type: 'bytea' },
    rows: { type: 'integer', default: 1 },
    address: { type: 'text', nullable: true },
    verdict: { type: 'text', nullable: true },
    reason: { type: 'text' },
    keyId: { name: 'key_id', type: 'text', nullable: true },
    userId: { name: 'user_id', type: 'text', nullable: true },
    publishable: { type: 'boolean', default: false },
    firstRequestedAt: { name: 'first_requested_at', type: 'timestamptz' },
    attempts: { type: 'integer', default: 0 },
    claims: { type: 'integer', default: 0 },
    dueAt: { name: 'due_at', type: 'timestamptz', nullable: true },
    lease: { type: 'uuid', nullable: true },
    leasedUntil: { name: 'leased_until', type: 'timestamptz', default: '-infinity' },
    eraseAt: { name: 'erase_at', type: 'timestamptz', nullable: true },
  },
});
