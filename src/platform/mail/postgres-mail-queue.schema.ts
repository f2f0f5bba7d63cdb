import { EntitySchema } from 'typeorm';
import type { OutgoingMail } from '../../kernel/mail.js';

export interface OutgoingMailRow extends Omit<OutgoingMail, 'mail'> {
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
    ciphertext: { type: 'text' },
    attempts: { type: 'integer', default: 0 },
    dueAt: { name: 'due_at', type: 'timestamptz' },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
  },
});
