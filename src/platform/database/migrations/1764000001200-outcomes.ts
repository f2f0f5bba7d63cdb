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
        -- The verdict that the team had before; NULL: it is not known.
        reason        text,
        host          text,
        provider      text,
        -- When the server had accepted the address at RCPT.
        accepted_at   timestamptz,
        -- The estimate that was given.
        estimate      real,
        PRIMARY KEY (team_id, address_hash, event_key)
      );
      CREATE INDEX outcomes_at ON outcomes (at);

      -- Verdicts of teams that report outcomes, so that an outcome finds its verdict: the latest of each day.
      CREATE TABLE outcome_verdicts (
        team_id      text NOT NULL,
        address_hash bytea NOT NULL,
        day          date NOT NULL,
        verified_at  timestamptz NOT NULL,
        reason       text NOT NULL,
        host         text,
        provider     text,
        -- The server accepted the address at RCPT.
        is_accepted  boolean NOT NULL,
        estimate     real,
        PRIMARY KEY (team_id, address_hash, day)
      );
      CREATE INDEX outcome_verdicts_day ON outcome_verdicts (day);

      -- What the outcomes of a team show. No foreign key: deleted with the team's outcomes.
      CREATE TABLE outcome_statistics (
        team_id    text PRIMARY KEY,
        changed_at timestamptz NOT NULL,
        -- NULL: not yet.
        learned_at timestamptz,
        statistics jsonb
      );
      CREATE INDEX outcome_statistics_learned ON outcome_statistics (learned_at);

      -- Hosts that, by the outcomes of a team, return mail that their servers accepted.
      CREATE TABLE outcome_hosts (
        host    text NOT NULL,
        team_id text NOT NULL,
        PRIMARY KEY (host, team_id)
      );
      CREATE INDEX outcome_hosts_team ON outcome_hosts (team_id);

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
    await queryRunner.query(
      'DROP TABLE outcomes, outcome_verdicts, outcome_statistics, outcome_hosts, outcome_sources, outcome_source_tokens',
    );
  }
}
