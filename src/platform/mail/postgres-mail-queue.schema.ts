import { EntitySchema } from 'typeorm';
import type { OutgoingMail } from '../../kernel/mail.js';

interface OutgoingMailRow {
  /** The id of the invite, user or sign-in link. */
  id: string;
  kind: OutgoingMail['kind'];
  teamId: string;
  ciphertext: string;
  attempts: number;
  dueAt: Date;
  expiresAt: Date;
}

export const OutgoingMailRowSchema = new EntitySchema<OutgoingMailRow>({
  name: 'OutgoingMailRow',
  tableName: 'outgoing_mails',
  columns: {
    id: { type: 'text', primary: true },
    kind: { type: 'text' },
    teamId: {
      name: 'team_id',
      type: 'text',
      foreignKey: { target: 'Team', name: 'outgoing_mails_team_id_fkey', onDelete: 'CASCADE' },
    },
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
