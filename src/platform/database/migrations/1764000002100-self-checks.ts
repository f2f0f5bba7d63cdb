import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the installation has found about its egresses. */
export class SelfChecks1764000002100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- The last result of each check of each egress of the configuration.
      CREATE TABLE self_checks (
        name       text NOT NULL,
        egress     text NOT NULL,
        status     text NOT NULL CHECK (status IN ('pass', 'warn', 'fail', 'unknown')),
        since      timestamptz NOT NULL,
        checked_at timestamptz NOT NULL,
        detail     text NOT NULL,
        -- What the operators know: the first status, then that of the last mail.
        mailed     text CHECK (mailed IN ('pass', 'fail')),
        mailed_at  timestamptz,
        PRIMARY KEY (name, egress)
      );

      -- The worst result of each UTC day.
      CREATE TABLE self_check_days (
        day    date NOT NULL,
        name   text NOT NULL,
        egress text NOT NULL,
        status text NOT NULL CHECK (status IN ('pass', 'warn', 'fail', 'unknown')),
        detail text NOT NULL,
        PRIMARY KEY (day, name, egress)
      );

      -- One row: the claim of the process that runs the checks. If it is lost, they are run again.
      CREATE UNLOGGED TABLE self_check_runs (
        id           boolean PRIMARY KEY DEFAULT true CHECK (id),
        started_at   timestamptz NOT NULL,
        leased_until timestamptz NOT NULL,
        due_at       timestamptz NOT NULL
      );

      ALTER TABLE outgoing_mails
        DROP CONSTRAINT outgoing_mails_kind_check,
        ADD CONSTRAINT outgoing_mails_kind_check
          CHECK (kind IN ('invite', 'signup', 'signin', 'list', 'self_check')) NOT VALID;
      -- 1764000002610 validates it, in a transaction without this lock.
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM outgoing_mails WHERE kind = 'self_check';
      ALTER TABLE outgoing_mails
        DROP CONSTRAINT outgoing_mails_kind_check,
        ADD CONSTRAINT outgoing_mails_kind_check CHECK (kind IN ('invite', 'signup', 'signin', 'list'));
      DROP TABLE self_check_runs, self_check_days, self_checks;
    `);
  }
}
