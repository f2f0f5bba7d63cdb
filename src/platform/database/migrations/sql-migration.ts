import type { MigrationInterface, QueryRunner } from 'typeorm';

export abstract class SqlMigration implements MigrationInterface {
  protected abstract readonly creates: string;
  protected abstract readonly drops: string;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(this.creates);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(this.drops);
  }
}
