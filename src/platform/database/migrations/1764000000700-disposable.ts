import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Overrides of the disposable domains: of teams, of the operator, and candidates that the engine has detected.
 */
export class Disposable1764000000700 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- NULL team: an entry of the operator, in force for all teams once merged.
      CREATE TABLE disposable_overrides (
        id           text PRIMARY KEY,
        team_id      text REFERENCES teams ON DELETE CASCADE,
        domain       text NOT NULL,
        verdict      text NOT NULL CHECK (verdict IN ('disposable', 'not_disposable')),
        note         text,
        created_by   text REFERENCES users ON DELETE SET NULL,
        created_at   timestamptz NOT NULL,
        merged_at    timestamptz,
        rejected_at  timestamptz,
        mx_host      text,
        times_seen   integer NOT NULL DEFAULT 0,
        last_seen_at timestamptz,
        UNIQUE (team_id, domain)
      );
      CREATE UNIQUE INDEX disposable_overrides_operator ON disposable_overrides (domain) WHERE team_id IS NULL;
      CREATE INDEX disposable_overrides_page ON disposable_overrides (team_id, created_at DESC, id DESC);
      CREATE INDEX disposable_overrides_pending ON disposable_overrides (created_at, id)
        WHERE merged_at IS NULL;
      CREATE INDEX disposable_overrides_creator ON disposable_overrides (created_by);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE disposable_overrides');
  }
}
