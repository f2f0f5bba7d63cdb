import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a chunk have a set of domains instead of a range. Chunks that exist already have ranges. */
export class ChunkProviders1763800002200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Whole domains, as the first bytes of their address keys; null: the range. Processes of the previous
      -- version use the column "domain": it has the name of a provider too.
      ALTER TABLE bulk_chunks ADD COLUMN domains bytea;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE bulk_chunks DROP COLUMN domains');
  }
}
