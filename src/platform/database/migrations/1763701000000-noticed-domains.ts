import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Disposable candidates that the engine detects, and those that the operator has rejected. */
export class NoticedDomains1763701000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE disposable_overrides
        ADD COLUMN rejected_at  timestamptz,
        ADD COLUMN mx_host      text,
        ADD COLUMN times_seen   integer NOT NULL DEFAULT 0,
        ADD COLUMN last_seen_at timestamptz
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE disposable_overrides
        DROP COLUMN rejected_at, DROP COLUMN mx_host, DROP COLUMN times_seen, DROP COLUMN last_seen_at
    `);
  }
}
