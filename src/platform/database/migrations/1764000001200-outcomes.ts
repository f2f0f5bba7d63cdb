import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of the mails of the teams, and the providers that report it. */
export class Outcomes1764000001200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Contains the keyed hash of the address. No foreign key: a deleted team's rows are deleted in batches.
      CREATE TABLE outcomes (
        team_id       text NOT NULL,
        address_hash  bytea NOT NULL,
        -- The same for the same message and kind.
        event_key     bytea NOT NULL,
        kind          text NOT NULL CHECK (kind IN ('delivered', 'bounced', 'complained')),
        -- A bounce which states that the mailbox does not exist or is disabled.
        is_hard       boolean NOT NULL,
        -- The category of the reply.
        category      text,
        domain        text NOT NULL,
        at            timestamptz NOT NULL,
        code          smallint,
        enhanced_code text,
        -- Of the reply, without addresses.
        text          text,
        PRIMARY KEY (team_id, address_hash, event_key)
      );
      CREATE INDEX outcomes_at ON outcomes (at);

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
    await queryRunner.query('DROP TABLE outcomes, outcome_sources, outcome_source_tokens');
  }
}
