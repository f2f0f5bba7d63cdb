import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The providers that report outcomes to a team. */
export class OutcomeIntake1764000001300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE outcome_sources (
        id           text PRIMARY KEY,
        team_id      text NOT NULL REFERENCES teams ON DELETE CASCADE,
        kind         text NOT NULL,
        -- SHA-256 of the token in the URL.
        token_digest bytea NOT NULL UNIQUE,
        -- Encrypted under SECRET_KEY.
        secret       text,
        created_at   timestamptz NOT NULL
      );
      CREATE INDEX outcome_sources_page ON outcome_sources (team_id, created_at DESC, id DESC);

      -- Signed tokens that are accepted once. No foreign key: they are deleted after three days.
      CREATE TABLE outcome_source_tokens (
        source_id text NOT NULL,
        digest    bytea NOT NULL,
        used_at   timestamptz NOT NULL,
        PRIMARY KEY (source_id, digest)
      );
      CREATE INDEX outcome_source_tokens_used ON outcome_source_tokens (used_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE outcome_source_tokens, outcome_sources');
  }
}
