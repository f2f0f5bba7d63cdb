import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Blocklists and disposable-domain overrides of teams and of the operator. Domains are A-labels in lower case. */
export class Lists1763600000500 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE blocklist_entries (
        id         text PRIMARY KEY,
        team_id    text NOT NULL REFERENCES teams ON DELETE CASCADE,
        domain     text NOT NULL,
        reason     text,
        created_by text REFERENCES users ON DELETE SET NULL,
        created_at timestamptz NOT NULL,
        UNIQUE (team_id, domain)
      );
      CREATE INDEX blocklist_entries_page ON blocklist_entries (team_id, created_at DESC, id DESC);

      -- NULL team: an entry of the operator, in force for all teams once merged.
      CREATE TABLE disposable_overrides (
        id         text PRIMARY KEY,
        team_id    text REFERENCES teams ON DELETE CASCADE,
        domain     text NOT NULL,
        verdict    text NOT NULL CHECK (verdict IN ('disposable', 'not_disposable')),
        note       text,
        created_by text REFERENCES users ON DELETE SET NULL,
        created_at timestamptz NOT NULL,
        merged_at  timestamptz,
        UNIQUE (team_id, domain)
      );
      CREATE UNIQUE INDEX disposable_overrides_operator ON disposable_overrides (domain) WHERE team_id IS NULL;
      CREATE INDEX disposable_overrides_page ON disposable_overrides (team_id, created_at DESC, id DESC);
      CREATE INDEX disposable_overrides_pending ON disposable_overrides (created_at, id) WHERE merged_at IS NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE disposable_overrides, blocklist_entries');
  }
}
