import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds sign-in links, which are sent by mail. */
export class SignInLinks1763800002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- A link that was requested or sent. A request has the encrypted address; a sent link has the user
      -- and the digest of its token instead.
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

      ALTER TABLE outgoing_mails DROP CONSTRAINT outgoing_mails_kind_check;
      ALTER TABLE outgoing_mails ADD CONSTRAINT outgoing_mails_kind_check
        CHECK (kind IN ('invite', 'signup', 'signin'));
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE sign_in_links;
      DELETE FROM outgoing_mails WHERE kind = 'signin';
      ALTER TABLE outgoing_mails DROP CONSTRAINT outgoing_mails_kind_check;
      ALTER TABLE outgoing_mails ADD CONSTRAINT outgoing_mails_kind_check CHECK (kind IN ('invite', 'signup'));
    `);
  }
}
