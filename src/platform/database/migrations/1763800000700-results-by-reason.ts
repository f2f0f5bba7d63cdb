import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes the rows of a list by the reason of their verdict, so that a filter reads only matching rows.
 * Lists recorded before this migration, or by a process of the previous version, are read in parts
 * until they expire; `indexed` is false for them.
 */
export class ResultsByReason1763800000700 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE bulk_row_reasons (
        list   bigint NOT NULL,
        idx    integer NOT NULL,
        reason text COLLATE "C" NOT NULL,
        PRIMARY KEY (list, reason, idx)
      );
      -- Number of rows of the job in bulk_row_reasons; complete if it equals the processed rows.
      ALTER TABLE bulk_jobs ADD COLUMN indexed integer NOT NULL DEFAULT 0;
      -- jsonb takes no NUL, which the name of a column may hold.
      ALTER TABLE bulk_jobs ALTER COLUMN columns TYPE json;
      -- The address as it was sent, in JSON, if text cannot represent it; NULL: as in email.
      ALTER TABLE bulk_rows ADD COLUMN sent text;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE bulk_rows DROP COLUMN sent;
      ALTER TABLE bulk_jobs ALTER COLUMN columns TYPE jsonb USING replace(columns::text, '\\u0000', '')::jsonb;
      ALTER TABLE bulk_jobs DROP COLUMN indexed;
      DROP TABLE bulk_row_reasons;
    `);
  }
}
