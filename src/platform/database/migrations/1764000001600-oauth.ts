import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clients, requests, grants and tokens of the authorization server, and the keys that stand for grants. */
export class OAuth1764000001600 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Of the key of a grant: the client that was allowed. Without a default, the table is not written again.
      ALTER TABLE api_keys ADD COLUMN oauth_client jsonb;

      CREATE TABLE oauth_records (
        model        text NOT NULL,
        -- SHA-256 of the id, which may be a token.
        digest       bytea NOT NULL,
        -- Not jsonb, which has no place for the character U+0000.
        payload      json NOT NULL,
        -- SHA-256 of the id of the grant.
        grant_digest bytea,
        -- The records of a grant end with its key, and so with its team and user.
        key_id       text REFERENCES api_keys ON DELETE CASCADE,
        expires_at   timestamptz NOT NULL,
        consumed_at  timestamptz,
        PRIMARY KEY (model, digest)
      );
      CREATE INDEX oauth_records_expired ON oauth_records (expires_at);
      CREATE INDEX oauth_records_grant ON oauth_records (grant_digest) WHERE grant_digest IS NOT NULL;
      CREATE INDEX oauth_records_key ON oauth_records (key_id) WHERE key_id IS NOT NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE oauth_records;
      ALTER TABLE api_keys DROP COLUMN oauth_client;
    `);
  }
}
