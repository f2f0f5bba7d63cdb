import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists that are read and verified at regular times. */
export class Schedules1764000002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE schedules (
        id            text PRIMARY KEY,
        team_id       text NOT NULL REFERENCES teams ON DELETE CASCADE,
        name          text NOT NULL,
        every         text NOT NULL CHECK (every IN ('day', 'week', 'month')),
        -- An hour in UTC.
        at_hour       smallint NOT NULL,
        -- Without its secrets.
        source        jsonb NOT NULL,
        -- The values of headers, or the token; encrypted under SECRET_KEY.
        secret        text,
        max_age_days  integer NOT NULL,
        on_result     text NOT NULL CHECK (on_result IN ('blocklist_undeliverable', 'attributes', 'none')),
        enabled       boolean NOT NULL,
        -- Why the service has disabled it; NULL: it has not.
        disabled_reason text,
        -- Consecutive failed runs.
        failures      integer NOT NULL DEFAULT 0,
        next_run_at   timestamptz NOT NULL,
        created_at    timestamptz NOT NULL
      );
      CREATE INDEX schedules_page ON schedules (team_id, created_at DESC, id DESC);
      CREATE INDEX schedules_due ON schedules (next_run_at) WHERE enabled;

      CREATE TABLE schedule_runs (
        id           text PRIMARY KEY,
        schedule_id  text NOT NULL,
        team_id      text NOT NULL,
        state        text NOT NULL CHECK (state IN ('queued', 'verifying', 'writing', 'completed', 'failed')),
        job_id       text,
        rows         integer NOT NULL DEFAULT 0,
        unchanged    integer NOT NULL DEFAULT 0,
        verified     integer NOT NULL DEFAULT 0,
        new          integer NOT NULL DEFAULT 0,
        -- Addresses with another status than before, by their status now.
        changed      jsonb NOT NULL DEFAULT '{}',
        -- The last row of the list whose result is recorded.
        position     integer NOT NULL DEFAULT -1,
        attempts     integer NOT NULL DEFAULT 0,
        failure      text,
        created_at   timestamptz NOT NULL,
        started_at   timestamptz,
        finished_at  timestamptz,
        lease        uuid,
        leased_until timestamptz NOT NULL DEFAULT '-infinity'
      );
      CREATE INDEX schedule_runs_page ON schedule_runs (schedule_id, created_at DESC, id DESC);
      -- One run of a schedule at a time.
      CREATE UNIQUE INDEX schedule_runs_open ON schedule_runs (schedule_id)
        WHERE state IN ('queued', 'verifying', 'writing');
      CREATE INDEX schedule_runs_team ON schedule_runs (team_id, created_at)
        WHERE state IN ('queued', 'writing');
      CREATE INDEX schedule_runs_job ON schedule_runs (job_id) WHERE state = 'verifying';
      CREATE INDEX schedule_runs_old ON schedule_runs (created_at);

      -- The latest status of each address of a schedule: what is not verified again. It outlasts the list of a run.
      CREATE TABLE schedule_members (
        schedule_id text NOT NULL,
        -- A keyed hash, as in the rows of lists.
        address_key bytea NOT NULL,
        status      text NOT NULL,
        verified_at timestamptz NOT NULL,
        expires_at  timestamptz NOT NULL,
        PRIMARY KEY (schedule_id, address_key)
      );
      CREATE INDEX schedule_members_old ON schedule_members (expires_at);

      CREATE TRIGGER schedules_erasure AFTER DELETE ON schedules REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION request_erasure();

      ALTER TABLE bulk_jobs ADD COLUMN schedule_id text;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE bulk_jobs DROP COLUMN schedule_id;
      DROP TABLE schedule_members, schedule_runs, schedules;
    `);
  }
}
