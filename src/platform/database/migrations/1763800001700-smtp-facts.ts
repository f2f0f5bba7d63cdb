import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds facts about mail servers that processes share. The table is unlogged: after a crash of the
 * database the facts are observed again.
 */
export class SmtpFacts1763800001700 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNLOGGED TABLE smtp_facts (
        kind       text NOT NULL,
        key        text NOT NULL,
        value      jsonb NOT NULL,
        -- The process that wrote it.
        process    text NOT NULL,
        changed_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (kind, key)
      );
      CREATE INDEX smtp_facts_changed ON smtp_facts (changed_at);
      CREATE INDEX smtp_facts_expires ON smtp_facts (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE smtp_facts');
  }
}
