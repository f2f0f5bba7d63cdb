import { EntitySchema } from 'typeorm';
import type { OutgoingMail } from '../../kernel/mail.js';
import type { UserId } from '../../kernel/principal.js';

export interface OutgoingMailRow extends Omit<OutgoingMail, 'mail' | 'userId'> {
  userId: UserId | null;
  ciphertext: string;
  attempts: number;
  dueAt: Date;
}

export const OutgoingMailRowSchema = new EntitySchema<OutgoingMailRow>({
  name: 'OutgoingMailRow',
  tableName: 'outgoing_mails',
  columns: {
    id: { type: 'text', primary: true },
    kind: { type: 'text' },
    teamId: { name: 'team_id', type: 'text' },
    userId: { name: 'user_id', type: 'text', nullable: true },
    ciphertext: { type: 'text' },
    attempts: { type: 'integer', default: 0 },
    dueAt: { name: 'due_at', type: 'timestamptz' },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
  },
});
