import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the delimiter of a submitted CSV, which its results use too. */
export class BulkDelimiter1763800001300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE bulk_jobs ADD COLUMN delimiter text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE bulk_jobs DROP COLUMN delimiter');
  }
}
