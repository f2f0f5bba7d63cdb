import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a list counts beside reasons. */
export class ListRoles1764000002810 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Deliverable rows whose address belongs to a role. Lists of 0.2 have none.
      ALTER TABLE bulk_jobs ADD COLUMN deliverable_roles integer NOT NULL DEFAULT 0;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE bulk_jobs DROP COLUMN deliverable_roles');
  }
}
