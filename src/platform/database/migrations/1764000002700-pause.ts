import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Pause1764000002700 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- At most one row: the installation is paused.
      CREATE TABLE service_pause (
        id    boolean PRIMARY KEY DEFAULT true CHECK (id),
        since timestamptz NOT NULL
      );
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE service_pause');
  }
}
