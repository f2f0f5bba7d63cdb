import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invites and outgoing mails. */
export class Invites1763600000300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE invites (
        id           text PRIMARY KEY,
        team_id      text NOT NULL REFERENCES teams ON DELETE CASCADE,
        email        text NOT NULL,
        role         text NOT NULL CHECK (role IN ('admin', 'member')),
        token_digest bytea NOT NULL UNIQUE,
        -- Ids of users, who may have been deleted.
        invited_by   text NOT NULL,
        accepted_by  text,
        by_mail      boolean NOT NULL,
        created_at   timestamptz NOT NULL,
        expires_at   timestamptz NOT NULL,
        accepted_at  timestamptz,
        revoked_at   timestamptz,
        CHECK (accepted_at IS NULL OR revoked_at IS NULL)
      );
      CREATE INDEX invites_team ON invites (team_id, created_at DESC, id DESC);
      -- An expired invite remains until a new one to the same address replaces it.
      CREATE UNIQUE INDEX invites_one_pending ON invites (team_id, lower(email))
        WHERE accepted_at IS NULL AND revoked_at IS NULL;

      -- The mail contains the token. It is stored encrypted and deleted after it is sent.
      CREATE TABLE invite_mails (
        invite_id  text PRIMARY KEY REFERENCES invites ON DELETE CASCADE,
        ciphertext text NOT NULL,
        attempts   integer NOT NULL DEFAULT 0,
        due_at     timestamptz NOT NULL
      );
      CREATE INDEX invite_mails_due ON invite_mails (due_at);

      CREATE INDEX members_user ON members (user_id);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX members_user; DROP TABLE invite_mails, invites');
  }
}
