import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds `confirmed`: the operator created the user, or the user followed a link sent to the address.
 * Addresses are unique among confirmed users only.
 *
 * Only the audit log records how a user was created. Users who signed up (`account.signed_up`, by open
 * sign-up or with an invite) have not proved their address and are unconfirmed; all others were created
 * by the operator. A user who signed up stays unconfirmed even if `rcpt account create` was later called
 * with the same address, since another person may have signed up.
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

      -- Confirmation links that were sent and not used yet.
      CREATE TABLE signup_confirmations (
        user_id      text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        team_id      text NOT NULL REFERENCES teams ON DELETE CASCADE,
        token_digest bytea NOT NULL UNIQUE,
        expires_at   timestamptz NOT NULL
      );
      CREATE INDEX signup_confirmations_team ON signup_confirmations (team_id);
      CREATE INDEX signup_confirmations_expiry ON signup_confirmations (expires_at);

      -- Number of links per UTC day for an email address or network address, as keyed hashes.
      CREATE TABLE signup_mail_counts (
        day     date NOT NULL,
        counted bytea NOT NULL,
        mails   integer NOT NULL,
        PRIMARY KEY (day, counted)
      );

      -- A mail contains an address and a token. It is stored encrypted and deleted after it is sent.
      CREATE TABLE outgoing_mails (
        -- Id of the invite or user.
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

  /** Fails if an address has several users; erase these first. */
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
