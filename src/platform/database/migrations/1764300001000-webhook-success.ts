import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a receiver has ever worked: one that has not is disabled sooner. Existing ones are not known to be new. */
export class WebhookSuccess1764300001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE webhooks ADD COLUMN has_succeeded boolean NOT NULL DEFAULT true;
      ALTER TABLE webhooks ALTER COLUMN has_succeeded SET DEFAULT false;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhooks DROP COLUMN has_succeeded');
  }
}
