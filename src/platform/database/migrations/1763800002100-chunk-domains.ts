import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the domain to the chunks of a large domain. Chunks that exist already have none. */
export class ChunkDomains1763800002100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- The domain that was divided, as the first bytes of its address keys; null: several whole domains.
      ALTER TABLE bulk_chunks ADD COLUMN domain bytea;
      CREATE INDEX bulk_chunks_domain ON bulk_chunks (list, domain) WHERE domain IS NOT NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE bulk_chunks DROP COLUMN domain');
  }
}
