import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the delimiter of a submitted CSV and whether it had a byte order mark, as its results have. */
export class BulkDelimiter1763800001300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE bulk_jobs ADD COLUMN delimiter text, ADD COLUMN bom boolean NOT NULL DEFAULT false',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE bulk_jobs DROP COLUMN bom, DROP COLUMN delimiter');
  }
}
