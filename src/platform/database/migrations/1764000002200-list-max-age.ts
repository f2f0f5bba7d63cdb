import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The maximum age of the stored facts that a list may use. */
export class ListMaxAge1764000002200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- In seconds; null: until they expire.
      ALTER TABLE bulk_jobs ADD COLUMN max_age integer;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE bulk_jobs DROP COLUMN max_age');
  }
}
