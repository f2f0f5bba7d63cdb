import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys, stored as digests. */
export class ApiKeys1764000000300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE api_keys (
        id           text PRIMARY KEY,
        team_id      text NOT NULL REFERENCES teams ON DELETE CASCADE,
        user_id      text REFERENCES users ON DELETE CASCADE,
        name         text NOT NULL,
        mode         text NOT NULL CHECK (mode IN ('live', 'test')),
        digest       bytea NOT NULL UNIQUE,
        last4        text NOT NULL,
        created_at   timestamptz NOT NULL,
        last_used_at timestamptz,
        expires_at   timestamptz,
        revoked_at   timestamptz,
        -- null: a secret key
        publishable  jsonb,
        -- The text, which everyone who opens the page can read; that of a secret key is never stored.
        publishable_key text CHECK (publishable_key IS NULL OR publishable IS NOT NULL),
        -- Keys of sign-ins do not count toward the limit of the team.
        is_sign_in   boolean NOT NULL DEFAULT false
      );
      CREATE INDEX api_keys_team ON api_keys (team_id, created_at DESC, id DESC);
      -- For the foreign key checks when a user is deleted.
      CREATE INDEX api_keys_user ON api_keys (user_id);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE api_keys');
  }
}
