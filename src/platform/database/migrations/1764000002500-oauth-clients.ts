import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The client of a grant, to find the grants of a client. */
export class OAuthClients1764000002500 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- SHA-256 of the id of the client. Of grants only.
      ALTER TABLE oauth_records ADD COLUMN client_digest bytea;
      CREATE INDEX oauth_records_client ON oauth_records (client_digest, expires_at) WHERE client_digest IS NOT NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX oauth_records_client;
      ALTER TABLE oauth_records DROP COLUMN client_digest;
    `);
  }
}
