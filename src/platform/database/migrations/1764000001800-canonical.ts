import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists in which all addresses of a mailbox are verified once. No table is rewritten. */
export class Canonical1764000001800 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- address: the keys of the rows are those of their addresses; canonical: those of their mailboxes.
      ALTER TABLE bulk_jobs ADD COLUMN unique_by text NOT NULL DEFAULT 'address';
      -- Of the rows with this result, the first one, in lists by mailbox; NULL: it is the only one, or another list.
      ALTER TABLE bulk_results ADD COLUMN first_row integer;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE bulk_results DROP COLUMN first_row;
      ALTER TABLE bulk_jobs DROP COLUMN unique_by;
    `);
  }
}
