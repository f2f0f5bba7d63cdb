import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Renames tables and columns. Processes of the previous version run beside new ones during an upgrade,
 * so the old name of a table remains as a view until a later migration drops it. Indexes and
 * constraints are renamed without a view, because no statement names them.
 */
export class Names1763800001200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE bulk_turns RENAME TO bulk_teams;
      ALTER INDEX bulk_turns_pkey RENAME TO bulk_teams_pkey;
      CREATE VIEW bulk_turns AS SELECT team_id, served_at FROM bulk_teams;
      ALTER INDEX outbox_told RENAME TO outbox_dispatched;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER INDEX outbox_dispatched RENAME TO outbox_told;
      DROP VIEW bulk_turns;
      ALTER INDEX bulk_teams_pkey RENAME TO bulk_turns_pkey;
      ALTER TABLE bulk_teams RENAME TO bulk_turns;
    `);
  }
}
