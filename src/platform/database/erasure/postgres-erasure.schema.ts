import { EntitySchema } from 'typeorm';

/** A deleted team or webhook whose rows in large tables must still be deleted. A trigger inserts it. */
interface ErasureRow {
  /** The id of the team or webhook. */
  subject: string;
  deletedAt: Date;
  dueAt: Date;
}

export const ErasureRowSchema = new EntitySchema<ErasureRow>({
  name: 'ErasureRow',
  tableName: 'erasures',
  columns: {
    subject: { type: 'text', primary: true },
    deletedAt: { name: 'deleted_at', type: 'timestamptz', default: () => 'now()' },
    dueAt: { name: 'due_at', type: 'timestamptz', default: () => 'now()' },
  },
  indices: [{ name: 'erasures_due', columns: ['dueAt'] }],
});
