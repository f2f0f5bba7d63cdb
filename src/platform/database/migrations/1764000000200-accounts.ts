import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Confirmations of sign-ups, and sign-in links. */
export class Accounts1764000000200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Confirmation links that were sent and not used yet.
      CREATE TABLE signup_confirmations (
        user_id      text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        team_id      text NOT NULL REFERENCES teams ON DELETE CASCADE,
        token_digest bytea NOT NULL UNIQUE,
        expires_at   timestamptz NOT NULL
      );
      CREATE INDEX signup_confirmations_team ON signup_confirmations (team_id);
      CREATE INDEX signup_confirmations_expiry ON signup_confirmations (expires_at);

      -- A link that was requested or sent. A request has the encrypted address; a sent link has the user, the digest of
      -- its token and the encrypted link.
      CREATE TABLE sign_in_links (
        id           text PRIMARY KEY,
        ciphertext   text NOT NULL,
        user_id      text REFERENCES users ON DELETE CASCADE,
        token_digest bytea UNIQUE,
        expires_at   timestamptz NOT NULL
      );
      CREATE INDEX sign_in_links_requested ON sign_in_links (id) WHERE user_id IS NULL;
      CREATE INDEX sign_in_links_user ON sign_in_links (user_id);
      CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE sign_in_links, signup_confirmations');
  }
}
