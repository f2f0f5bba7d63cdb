import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which users have an address that somebody vouches for: the operator, or a link that was sent there.
 * Only among these is an address unique.
 *
 * How a user was made is recorded in the audit log alone. Whoever signed up (`account.signed_up`, by
 * open sign-up or with an invite) has proved no address and is unconfirmed; all others were made by the
 * operator. That holds also for users who signed up and whom `rcpt account create` was later given
 * the address of: the sign-up came first, and perhaps not from whoever reads that address's mail.
 */
export class ConfirmedUsers1763800001100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE users ADD COLUMN confirmed_at timestamptz;
      UPDATE users SET confirmed_at = created_at
       WHERE id NOT IN (SELECT target_id FROM audit_log
                         WHERE action = 'account.signed_up' AND target_type = 'user');
      DROP INDEX users_email;
      CREATE UNIQUE INDEX users_confirmed_email ON users (lower(email)) WHERE confirmed_at IS NOT NULL;
      CREATE INDEX users_email ON users (lower(email));
      CREATE INDEX users_page ON users (created_at DESC, id DESC);

      -- A link that was sent to who signed up, and not followed yet.
      CREATE TABLE signup_confirmations (
        user_id      text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        team_id      text NOT NULL REFERENCES teams ON DELETE CASCADE,
        token_digest bytea NOT NULL UNIQUE,
        expires_at   timestamptz NOT NULL
      );
      CREATE INDEX signup_confirmations_team ON signup_confirmations (team_id);
      CREATE INDEX signup_confirmations_expiry ON signup_confirmations (expires_at);

      -- How many such links a UTC day has sent to one address, or for one network address: keyed hashes of both.
      CREATE TABLE signup_mail_counts (
        day     date NOT NULL,
        counted bytea NOT NULL,
        mails   integer NOT NULL,
        PRIMARY KEY (day, counted)
      );

      -- A mail holds an address and a token, so it is stored encrypted, and only until it was sent.
      CREATE TABLE outgoing_mails (
        -- Of the invite or the user that it is about.
        id         text PRIMARY KEY,
        kind       text NOT NULL CHECK (kind IN ('invite', 'signup')),
        team_id    text NOT NULL REFERENCES teams ON DELETE CASCADE,
        ciphertext text NOT NULL,
        attempts   integer NOT NULL DEFAULT 0,
        due_at     timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX outgoing_mails_due ON outgoing_mails (due_at);
      CREATE INDEX outgoing_mails_expiry ON outgoing_mails (expires_at);
      CREATE INDEX outgoing_mails_team ON outgoing_mails (team_id);
      INSERT INTO outgoing_mails (id, kind, team_id, ciphertext, attempts, due_at, expires_at)
      SELECT invite_id, 'invite', team_id, ciphertext, attempts, due_at, expires_at
        FROM invite_mails JOIN invites ON invites.id = invite_id
       WHERE accepted_at IS NULL AND revoked_at IS NULL;
      DROP TABLE invite_mails;
    `);
  }

  /** Fails where an address has several users by now; these have to be erased first. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE invite_mails (
        invite_id  text PRIMARY KEY REFERENCES invites ON DELETE CASCADE,
        ciphertext text NOT NULL,
        attempts   integer NOT NULL DEFAULT 0,
        due_at     timestamptz NOT NULL
      );
      CREATE INDEX invite_mails_due ON invite_mails (due_at);
      INSERT INTO invite_mails
      SELECT id, ciphertext, attempts, due_at FROM outgoing_mails WHERE kind = 'invite';
      DROP TABLE outgoing_mails, signup_mail_counts, signup_confirmations;
      DROP INDEX users_page, users_email, users_confirmed_email;
      CREATE UNIQUE INDEX users_email ON users (lower(email));
      ALTER TABLE users DROP COLUMN confirmed_at;
    `);
  }
}
