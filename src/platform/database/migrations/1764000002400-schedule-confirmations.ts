import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs of schedules that go on where they were, write what is known, and ask before they blocklist many. */
export class ScheduleConfirmations1764000002400 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE schedules
        ADD COLUMN created_by text REFERENCES users ON DELETE SET NULL,
        -- How many subscribers a run may blocklist without a confirmation.
        ADD COLUMN max_blocklisted jsonb NOT NULL DEFAULT '{"share": 0.1, "count": 50}',
        -- The kind and origin for which the secret was entered; NULL: there is none.
        ADD COLUMN secret_place text;
      CREATE INDEX schedules_creator ON schedules (created_by) WHERE created_by IS NOT NULL;

      ALTER TABLE schedule_runs
        DROP CONSTRAINT schedule_runs_state_check,
        ADD CONSTRAINT schedule_runs_state_check CHECK (state IN
          ('queued', 'verifying', 'writing', 'needs_confirmation', 'completed', 'discarded', 'failed')),
        ADD COLUMN written integer NOT NULL DEFAULT 0,
        ADD COLUMN postponed integer NOT NULL DEFAULT 0,
        -- Where the source is read next; NULL: from its beginning.
        ADD COLUMN place jsonb,
        -- It reads for longer than most.
        ADD COLUMN is_long boolean NOT NULL DEFAULT false,
        -- The schedule was disabled since.
        ADD COLUMN is_stopped boolean NOT NULL DEFAULT false,
        ADD COLUMN has_rows boolean NOT NULL DEFAULT false,
        -- All results of its list are recorded.
        ADD COLUMN is_recorded boolean NOT NULL DEFAULT false,
        -- Why it may blocklist subscribers.
        ADD COLUMN permit text CHECK (permit IN ('within', 'confirmed')),
        ADD COLUMN confirmation jsonb,
        ADD COLUMN confirm_by timestamptz;
      DROP INDEX schedule_runs_open;
      CREATE UNIQUE INDEX schedule_runs_open ON schedule_runs (schedule_id)
        WHERE state IN ('queued', 'verifying', 'writing', 'needs_confirmation');
      CREATE INDEX schedule_runs_unanswered ON schedule_runs (confirm_by) WHERE state = 'needs_confirmation';
      CREATE INDEX schedule_runs_rows ON schedule_runs (id) WHERE has_rows;

      -- Of no released version.
      DELETE FROM schedule_members;
      ALTER TABLE schedule_members ADD COLUMN reason text NOT NULL, ADD COLUMN score smallint NOT NULL;

      -- Rows that a run has read and that must be verified (status IS NULL), and results that it writes next.
      CREATE TABLE schedule_rows (
        schedule_id  text NOT NULL,
        run_id       text NOT NULL,
        idx          bigint GENERATED ALWAYS AS IDENTITY,
        -- A keyed hash, as in schedule_members.
        address_key  bytea NOT NULL,
        row          json NOT NULL,
        status       text,
        reason       text,
        score        smallint,
        verified_at  timestamptz,
        is_postponed boolean NOT NULL DEFAULT false,
        PRIMARY KEY (schedule_id, run_id, idx)
      );

      -- Domains without mail by the DNS alone, and when that was found for the first time.
      CREATE TABLE schedule_domains (
        schedule_id text NOT NULL,
        domain      text NOT NULL,
        found_at    timestamptz NOT NULL,
        expires_at  timestamptz NOT NULL,
        PRIMARY KEY (schedule_id, domain)
      );
      CREATE INDEX schedule_domains_old ON schedule_domains (expires_at);

      ALTER TABLE outgoing_mails
        DROP CONSTRAINT outgoing_mails_kind_check,
        ADD CONSTRAINT outgoing_mails_kind_check
          CHECK (kind IN ('invite', 'signup', 'signin', 'list', 'self_check', 'schedule')) NOT VALID;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM outgoing_mails WHERE kind = 'schedule';
      ALTER TABLE outgoing_mails
        DROP CONSTRAINT outgoing_mails_kind_check,
        ADD CONSTRAINT outgoing_mails_kind_check
          CHECK (kind IN ('invite', 'signup', 'signin', 'list', 'self_check'));
      DROP TABLE schedule_domains, schedule_rows;
      ALTER TABLE schedule_members DROP COLUMN score, DROP COLUMN reason;
      DROP INDEX schedule_runs_rows, schedule_runs_unanswered, schedule_runs_open;
      UPDATE schedule_runs SET state = 'completed' WHERE state IN ('needs_confirmation', 'discarded');
      ALTER TABLE schedule_runs
        DROP COLUMN confirm_by, DROP COLUMN confirmation, DROP COLUMN permit, DROP COLUMN is_recorded,
        DROP COLUMN has_rows, DROP COLUMN is_stopped, DROP COLUMN is_long, DROP COLUMN place,
        DROP COLUMN postponed, DROP COLUMN written,
        DROP CONSTRAINT schedule_runs_state_check,
        ADD CONSTRAINT schedule_runs_state_check
          CHECK (state IN ('queued', 'verifying', 'writing', 'completed', 'failed'));
      CREATE UNIQUE INDEX schedule_runs_open ON schedule_runs (schedule_id)
        WHERE state IN ('queued', 'verifying', 'writing');
      DROP INDEX schedules_creator;
      ALTER TABLE schedules DROP COLUMN secret_place, DROP COLUMN max_blocklisted, DROP COLUMN created_by;
    `);
  }
}
