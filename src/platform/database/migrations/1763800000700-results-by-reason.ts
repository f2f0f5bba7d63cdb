import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The rows of a list by the reason of their verdict, so that a filter reads what it answers and nothing
 * else. Lists recorded before this, or by a process that does not know of it yet, are read in parts
 * until they expire: `indexed` tells them apart.
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
      -- How many rows of the job are in bulk_row_reasons: all that have a result, if it is as many as processed.
      ALTER TABLE bulk_jobs ADD COLUMN indexed integer NOT NULL DEFAULT 0;
      -- jsonb takes no NUL, which the name of a column may hold.
      ALTER TABLE bulk_jobs ALTER COLUMN columns TYPE json;
      -- The address as it was sent, in JSON, where text cannot hold it; null: as in email.
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
