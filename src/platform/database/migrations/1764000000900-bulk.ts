import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists: jobs, rows, results and pending work. */
export class Bulk1764000000900 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE bulk_jobs (
        id             text PRIMARY KEY,
        -- References the job in tables with one row per address: 8 bytes instead of 30.
        list           bigint GENERATED ALWAYS AS IDENTITY NOT NULL UNIQUE,
        team_id        text NOT NULL,
        mode           text NOT NULL CHECK (mode IN ('live', 'test')),
        state          text NOT NULL
          CHECK (state IN ('receiving', 'queued', 'running', 'completed', 'canceled', 'failed', 'erasing')),
        name           text,
        refresh        boolean NOT NULL,
        columns        json,
        charge         jsonb,
        total          integer NOT NULL,
        -- Rows without an address.
        empty          integer NOT NULL,
        addresses      integer NOT NULL,
        processed      integer NOT NULL,
        verified       integer NOT NULL,
        charged        integer NOT NULL,
        by_reason      jsonb NOT NULL,
        -- Sums over rows to which mail may be sent.
        bounces        jsonb NOT NULL,
        chunks_left    integer NOT NULL CHECK (chunks_left >= 0),
        deferred_left  integer NOT NULL CHECK (deferred_left >= 0),
        failure        text,
        -- Of the request that submitted the list (W3C Trace Context).
        traceparent    text,
        retention_days integer NOT NULL,
        -- The language of the mail at the end; NULL: none.
        notify         text CHECK (notify IN ('en', 'de')),
        -- NULL: a service key, or the user was deleted.
        created_by     text REFERENCES users ON DELETE SET NULL,
        created_at     timestamptz NOT NULL,
        touched_at     timestamptz NOT NULL,
        started_at     timestamptz,
        finished_at    timestamptz,
        delimiter      text,
        bom            boolean NOT NULL DEFAULT false,
        has_header     boolean,
        -- How the CSV was read.
        csv_format     json,
        CHECK (processed <= total AND verified <= addresses AND charged <= verified)
      );
      CREATE INDEX bulk_jobs_page ON bulk_jobs (team_id, mode, created_at DESC, id DESC);
      CREATE INDEX bulk_jobs_open ON bulk_jobs (state)
        WHERE state IN ('receiving', 'queued', 'running', 'erasing');
      -- For the foreign key checks when a user is deleted.
      CREATE INDEX bulk_jobs_creator ON bulk_jobs (created_by) WHERE created_by IS NOT NULL;
      CREATE INDEX bulk_jobs_ended ON bulk_jobs (finished_at)
        WHERE state IN ('completed', 'canceled', 'failed');

      CREATE TABLE bulk_rows (
        list        bigint NOT NULL,
        idx         integer NOT NULL,
        -- 8 bytes of the list id, 4 of the keyed hash of the domain, then the keyed hash of the address; NULL: the row has none.
        address_key bytea,
        email       text NOT NULL,
        ref         text,
        -- The address as it was sent, in JSON, if text cannot represent it; NULL: as in email.
        sent        text,
        PRIMARY KEY (list, idx)
      );
      -- A single column, so that range queries cannot use another index.
      CREATE INDEX bulk_rows_address ON bulk_rows (address_key);

      CREATE TABLE bulk_row_reasons (
        list   bigint NOT NULL,
        idx    integer NOT NULL,
        reason text COLLATE "C" NOT NULL,
        PRIMARY KEY (list, reason, idx)
      );

      -- One row per distinct address.
      CREATE TABLE bulk_results (
        address_key bytea PRIMARY KEY,
        reason      text NOT NULL,
        -- The network was queried; the result is stored in the team's facts.
        probed      boolean NOT NULL,
        verdict     json NOT NULL
      );

      -- Pending work: a range of hashes of a list. Completed chunks are deleted.
      CREATE TABLE bulk_chunks (
        list         bigint NOT NULL,
        no           integer NOT NULL,
        hash_from    bytea NOT NULL,
        hash_to      bytea NOT NULL,
        -- Claims since the last recorded result.
        attempts     integer NOT NULL DEFAULT 0,
        -- Addresses with a recorded result.
        recorded     integer NOT NULL DEFAULT 0,
        lease        uuid,
        leased_until timestamptz NOT NULL DEFAULT '-infinity',
        -- A provider, or the domain that was divided, as the first bytes of its address keys; NULL:
        -- several domains.
        domain       bytea,
        -- Whole domains, as the first bytes of their address keys; NULL: the range.
        domains      bytea,
        PRIMARY KEY (list, no)
      );
      CREATE INDEX bulk_chunks_leased ON bulk_chunks (list) WHERE lease IS NOT NULL;
      CREATE INDEX bulk_chunks_domain ON bulk_chunks (list, domain) WHERE domain IS NOT NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE bulk_chunks, bulk_results, bulk_row_reasons, bulk_rows, bulk_jobs');
  }
}
