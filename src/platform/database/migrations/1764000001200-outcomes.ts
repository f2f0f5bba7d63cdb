import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of the mails of the teams. */
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
        -- The reason of that verdict before outcomes changed it; NULL: reason.
        facts_reason  text,
        host          text,
        provider      text,
        -- When the server had accepted the address at RCPT.
        accepted_at   timestamptz,
        -- The estimate that was given.
        estimate      real,
        -- The source of the team; NULL: the team itself.
        source        text,
        PRIMARY KEY (team_id, address_hash, event_key)
      );
      CREATE INDEX outcomes_at ON outcomes (at);
      CREATE INDEX outcomes_source ON outcomes (team_id, source, kind, at) WHERE source IS NOT NULL;

      -- Verdicts of teams that report outcomes, so that an outcome finds its verdict: the latest of each day.
      CREATE TABLE outcome_verdicts (
        team_id      text NOT NULL,
        address_hash bytea NOT NULL,
        day          date NOT NULL,
        verified_at  timestamptz NOT NULL,
        reason       text NOT NULL,
        -- The reason before outcomes changed it; NULL: reason.
        facts_reason text,
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

      -- Addresses that servers accepted, of all teams. No addresses: numbers by keyed hashes of names.
      CREATE TABLE outcome_accepted (
        team_id   text NOT NULL,
        -- Of the registrable domain of the mail servers; empty: the provider is in the table.
        host      bytea NOT NULL,
        -- Of the domain, or of a consumer service.
        name      bytea NOT NULL,
        day       date NOT NULL,
        addresses integer NOT NULL,
        -- When the first of them was verified.
        since     timestamptz NOT NULL,
        PRIMARY KEY (team_id, host, name, day)
      );
      CREATE INDEX outcome_accepted_day ON outcome_accepted (day);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP TABLE outcome_accepted, outcome_hosts, outcome_statistics, outcome_verdicts, outcomes',
    );
  }
}
