import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Blocked domains, as A-labels in lower case. */
export class Blocklist1764000000600 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE blocklist_entries (
        id         text PRIMARY KEY,
        team_id    text NOT NULL REFERENCES teams ON DELETE CASCADE,
        domain     text NOT NULL,
        reason     text,
        created_by text REFERENCES users ON DELETE SET NULL,
        created_at timestamptz NOT NULL,
        UNIQUE (team_id, domain)
      );
      CREATE INDEX blocklist_entries_page ON blocklist_entries (team_id, created_at DESC, id DESC);
      CREATE INDEX blocklist_entries_creator ON blocklist_entries (created_by);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE blocklist_entries');
  }
}
