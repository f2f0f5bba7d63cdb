import { EntitySchema } from 'typeorm';
import type { OutgoingMail } from '../../kernel/mail.js';
import { referenceColumn } from '../database/reference-column.js';

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
    teamId: referenceColumn('outgoing_mails', 'team_id', 'Team'),
    ciphertext: { type: 'text' },
    attempts: { type: 'integer', default: 0 },
    dueAt: { name: 'due_at', type: 'timestamptz' },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
  },
  checks: [{ name: 'outgoing_mails_kind_check', expression: `kind IN ('invite', 'signup', 'signin')` }],
  indices: [
    { name: 'outgoing_mails_due', columns: ['dueAt'] },
    { name: 'outgoing_mails_expiry', columns: ['expiresAt'] },
    { name: 'outgoing_mails_team', columns: ['teamId'] },
  ],
});
