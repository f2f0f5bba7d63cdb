import { EntitySchema } from 'typeorm';

/** A deleted team or webhook whose rows in large tables must still be deleted. A trigger inserts it. */
export const ErasureRowSchema = new EntitySchema({
  name: 'ErasureRow',
  tableName: 'erasures',
  columns: {
    subject: { type: 'text', primary: true },
    deletedAt: { name: 'deleted_at', type: 'timestamptz', default: () => 'now()' },
    dueAt: { name: 'due_at', type: 'timestamptz', default: () => 'now()' },
  },
  indices: [{ name: 'erasures_due', columns: ['dueAt'] }],
});
