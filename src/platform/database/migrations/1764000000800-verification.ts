import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Facts about addresses as keyed hashes, rechecks, and what processes share about mail servers. */
export class Verification1764000000800 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Contains the keyed hash of the address, per team, not the address.
      CREATE TABLE address_facts (
        team_id      text NOT NULL,
        address_hash bytea NOT NULL,
        facts        jsonb NOT NULL,
        observed_at  timestamptz NOT NULL,
        expires_at   timestamptz NOT NULL,
        PRIMARY KEY (team_id, address_hash)
      );
      CREATE INDEX address_facts_expiry ON address_facts (expires_at);

      CREATE TABLE rechecks (
        id             text PRIMARY KEY,
        -- No foreign key: a deleted team's rows are deleted in batches.
        team_id        text NOT NULL,
        -- The list of the row; NULL: a single check.
        list           bigint,
        -- Of a row of a list: its address_key, which ends with the hash.
        address_hash   bytea NOT NULL,
        -- Number of rows with this address in the list.
        rows           integer NOT NULL DEFAULT 1,
        -- Encrypted under SECRET_KEY; NULL once completed.
        address        text,
        -- The latest verdict, encrypted because it contains the address.
        verdict        text,
        -- Time of the first result.
        reason         text NOT NULL,
        -- The key and user to charge; NULL for list rows, whose quota is reserved.
        key_id         text,
        user_id        text,
        first_requested_at timestamptz NOT NULL,
        -- Rechecks with a result.
        attempts       integer NOT NULL DEFAULT 0,
        -- Claims since the last result.
        claims         integer NOT NULL DEFAULT 0,
        -- NULL: completed; the verdict is stored until erase_at.
        due_at         timestamptz,
        lease          uuid,
        leased_until   timestamptz NOT NULL DEFAULT '-infinity',
        erase_at       timestamptz,
        -- Whether a publishable key is charged.
        publishable    boolean NOT NULL DEFAULT false,
        CHECK ((due_at IS NULL) = (erase_at IS NOT NULL))
      );
      CREATE UNIQUE INDEX rechecks_one_pending ON rechecks (team_id, address_hash)
        WHERE list IS NULL AND due_at IS NOT NULL;
      CREATE UNIQUE INDEX rechecks_list ON rechecks (list, address_hash) WHERE list IS NOT NULL;
      CREATE INDEX rechecks_due ON rechecks (due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX rechecks_team_due ON rechecks (team_id, due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX rechecks_team_completed ON rechecks (team_id) WHERE due_at IS NULL;
      CREATE INDEX rechecks_leased ON rechecks (team_id) WHERE lease IS NOT NULL;
      CREATE INDEX rechecks_erase ON rechecks (erase_at) WHERE erase_at IS NOT NULL;

      CREATE TABLE egress_warmup (
        egress   text NOT NULL,
        provider text NOT NULL,
        day      date NOT NULL,
        -- NULL: the egress is known at the provider.
        ceiling  integer,
        used     integer NOT NULL,
        PRIMARY KEY (egress, provider)
      );

      -- Of the day in egress_warmup.
      CREATE TABLE egress_warmup_teams (
        egress   text NOT NULL,
        provider text NOT NULL,
        team_id  text NOT NULL,
        used     integer NOT NULL,
        rejected integer NOT NULL,
        PRIMARY KEY (egress, provider, team_id)
      );

      CREATE UNLOGGED TABLE smtp_permits (
        egress     text NOT NULL,
        -- '': the egress itself.
        provider   text NOT NULL,
        -- Of the processes.
        shares     jsonb NOT NULL DEFAULT '[]',
        expires_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (egress, provider)
      ) WITH (fillfactor = 50);
      CREATE INDEX smtp_permits_expires ON smtp_permits (expires_at);

      CREATE UNLOGGED TABLE smtp_shared_state (
        kind       text NOT NULL,
        key        text NOT NULL,
        value      jsonb NOT NULL,
        process    text NOT NULL,
        changed_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (kind, key)
      );
      CREATE INDEX smtp_shared_state_changed ON smtp_shared_state (changed_at);
      CREATE INDEX smtp_shared_state_expires ON smtp_shared_state (expires_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP TABLE smtp_shared_state, smtp_permits, egress_warmup_teams, egress_warmup, rechecks, address_facts',
    );
  }
}
