import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Bulk jobs. Rows and results have no foreign keys: they are inserted in sets of a hundred thousand
 * and deleted in batches by the worker that holds the job.
 */
export class Bulk1763700000500 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE bulk_jobs (
        id             text PRIMARY KEY,
        -- References the job in tables with one row per address: 8 bytes instead of 30.
        list           bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
        team_id        text NOT NULL,
        mode           text NOT NULL CHECK (mode IN ('live', 'test')),
        state          text NOT NULL CHECK (state IN
                         ('receiving', 'queued', 'running', 'completed', 'canceled', 'failed', 'erasing')),
        name           text,
        refresh        boolean NOT NULL,
        columns        jsonb,
        charge         jsonb,
        total          integer NOT NULL,
        addresses      integer NOT NULL,
        processed      integer NOT NULL,
        answered       integer NOT NULL,
        charged        integer NOT NULL,
        by_reason      jsonb NOT NULL,
        chunks_left    integer NOT NULL CHECK (chunks_left >= 0),
        parked_left    integer NOT NULL CHECK (parked_left >= 0),
        failure        text,
        retention_days integer NOT NULL,
        created_at     timestamptz NOT NULL,
        touched_at     timestamptz NOT NULL,
        started_at     timestamptz,
        finished_at    timestamptz,
        CHECK (processed <= total AND answered <= addresses AND charged <= answered)
      );
      CREATE INDEX bulk_jobs_page ON bulk_jobs (team_id, mode, created_at DESC, id DESC);
      CREATE INDEX bulk_jobs_open ON bulk_jobs (state) WHERE state IN ('receiving', 'queued', 'running', 'erasing');
      CREATE INDEX bulk_jobs_ended ON bulk_jobs (finished_at) WHERE state IN ('completed', 'canceled', 'failed');
      CREATE TABLE bulk_rows (
        list    bigint NOT NULL,
        idx     integer NOT NULL,
        -- 8 bytes of the list id, then the keyed hash of the normalized address.
        address bytea NOT NULL,
        email   text NOT NULL,
        ref     text,
        PRIMARY KEY (list, idx)
      );
      -- A single column, so that range queries cannot use another index.
      CREATE INDEX bulk_rows_address ON bulk_rows (address);
      -- One row per distinct address.
      CREATE TABLE bulk_results (
        address bytea PRIMARY KEY,
        reason  text NOT NULL,
        -- The network was queried; the result is stored in the team's facts.
        asked   boolean NOT NULL,
        verdict json NOT NULL
      );
      -- Pending work: a range of hashes of a list. Completed chunks are deleted.
      CREATE TABLE bulk_chunks (
        list         bigint NOT NULL,
        no           integer NOT NULL,
        hash_from    bytea NOT NULL,
        hash_to      bytea NOT NULL,
        attempts     integer NOT NULL DEFAULT 0,
        lease        uuid,
        leased_until timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (list, no)
      );
      CREATE INDEX bulk_chunks_leased ON bulk_chunks (list) WHERE lease IS NOT NULL;
      -- Deferred addresses, verified again later. Deleted after the result.
      CREATE TABLE bulk_parked (
        list         bigint NOT NULL,
        hash         bytea NOT NULL,
        email        text NOT NULL,
        rows         integer NOT NULL,
        verdict      json NOT NULL,
        asked        integer NOT NULL DEFAULT 0,
        parked_at    timestamptz NOT NULL,
        due_at       timestamptz NOT NULL,
        lease        uuid,
        leased_until timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (list, hash)
      );
      CREATE INDEX bulk_parked_due ON bulk_parked (due_at);
      -- For fairness: the team that was served longest ago is next.
      CREATE TABLE bulk_turns (
        team_id   text PRIMARY KEY,
        served_at timestamptz NOT NULL
      );
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP TABLE bulk_turns, bulk_parked, bulk_chunks, bulk_results, bulk_rows, bulk_jobs',
    );
  }
}
