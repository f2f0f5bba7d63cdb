import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the CSV of a job was read. */
export class CsvFormat1764300002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE bulk_jobs ADD COLUMN csv_format json');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE bulk_jobs DROP COLUMN csv_format');
  }
}
