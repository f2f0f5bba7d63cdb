import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The checkouts of a customer that may still be paid, so that a new one ends them. */
export class OpenCheckouts1764300007200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("ALTER TABLE billing_customers ADD open_checkouts text[] NOT NULL DEFAULT '{}'");
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE billing_customers DROP open_checkouts');
  }
}
