import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a check has found and what to do, as codes for readers of every language. */
export class SelfCheckCodes1764000002830 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- \`{code, params}\`, also in the list; none and null in what an earlier version has recorded.
      ALTER TABLE self_checks ADD COLUMN findings jsonb NOT NULL DEFAULT '[]', ADD COLUMN remedy jsonb;
      ALTER TABLE self_check_days ADD COLUMN findings jsonb NOT NULL DEFAULT '[]', ADD COLUMN remedy jsonb;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE self_checks DROP COLUMN findings, DROP COLUMN remedy;
      ALTER TABLE self_check_days DROP COLUMN findings, DROP COLUMN remedy;
    `);
  }
}
