import type { Mail } from '../../../kernel/mailer.js';
import type { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import type { SecretKeys } from '../../../platform/secrets/secret-keys.js';
import { pauseAfterAttempt, type WaitingInviteMail } from '../domain/invite-mail.js';
import { InviteMailRepository } from '../domain/invite-mail.repository.js';
import type { InviteId } from '../domain/invite.js';

interface Row {
  inviteId: InviteId;
  ciphertext: string;
  attempts: number;
}

/** How many mails one worker takes at once. */
const BATCH = 10;

/** A mail holds its invite's token, so rows hold ciphertext under `SECRET_KEY`. */
export class PostgresInviteMailRepository extends InviteMailRepository {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
  ) {
    super();
  }

  async add(invite: InviteId, mail: Mail, dueAt: Date): Promise<void> {
    await this.work.manager.query(
      'INSERT INTO invite_mails (invite_id, ciphertext, due_at) VALUES ($1, $2, $3)',
      [invite, this.keys.encrypt(JSON.stringify(mail)), dueAt],
    );
  }

  async remove(invite: InviteId): Promise<void> {
    await this.work.manager.query('DELETE FROM invite_mails WHERE invite_id = $1', [invite]);
  }

  claimDue(now: Date): Promise<WaitingInviteMail[]> {
    return this.work.run(async () => {
      const rows = await this.work.manager.query<Row[]>(
        `SELECT invite_id AS "inviteId", ciphertext, attempts + 1 AS attempts FROM invite_mails
          WHERE due_at <= $1 ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
        [now],
      );
      for (const { inviteId, attempts } of rows) {
        await this.work.manager.query(
          'UPDATE invite_mails SET attempts = $2, due_at = $3 WHERE invite_id = $1',
          [inviteId, attempts, new Date(now.getTime() + pauseAfterAttempt(attempts))],
        );
      }
      return rows.map(({ inviteId, attempts, ciphertext }) => ({
        inviteId,
        attempts,
        mail: this.open(ciphertext),
      }));
    });
  }

  async removeEnded(now: Date): Promise<void> {
    await this.work.manager.query(
      `DELETE FROM invite_mails USING invites
        WHERE invites.id = invite_id
          AND (accepted_at IS NOT NULL OR revoked_at IS NOT NULL OR expires_at <= $1)`,
      [now],
    );
  }

  private open(ciphertext: string): Mail | null {
    try {
      return JSON.parse(this.keys.decrypt(ciphertext)) as Mail;
    } catch {
      return null;
    }
  }
}
