import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Daily usage and quotas. They contain no addresses, and no foreign key to teams: totals remain after a team is deleted.
 */
export class Usage1764000000500 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION rcpt_today()
        RETURNS date LANGUAGE sql STABLE AS
        $$ SELECT (now() AT TIME ZONE 'utc')::date $$;

      CREATE TABLE quota_days (
        team_id  text NOT NULL,
        day      date NOT NULL,
        used     integer NOT NULL DEFAULT 0 CHECK (used >= 0),
        reserved integer NOT NULL DEFAULT 0 CHECK (reserved >= 0),
        warned   boolean NOT NULL DEFAULT false,
        exceeded boolean NOT NULL DEFAULT false,
        -- Part of used and reserved: that of publishable keys.
        publishable integer NOT NULL DEFAULT 0 CHECK (publishable >= 0),
        PRIMARY KEY (team_id, day)
      );
      CREATE INDEX quota_days_day ON quota_days (day);

      -- "account" is a user's id, or a service key's.
      CREATE TABLE usage_days (
        team_id       text NOT NULL,
        day           date NOT NULL,
        account       text NOT NULL,
        single        integer NOT NULL,
        bulk          integer NOT NULL,
        free          integer NOT NULL,
        deliverable   integer NOT NULL,
        undeliverable integer NOT NULL,
        risky         integer NOT NULL,
        unknown       integer NOT NULL,
        -- Part of unknown: not answered, to prevent that the mailboxes of a domain are listed.
        rate_limited  integer NOT NULL DEFAULT 0,
        PRIMARY KEY (team_id, day, account)
      );
      CREATE INDEX usage_days_day ON usage_days (day);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE usage_days, quota_days; DROP FUNCTION rcpt_today');
  }
}
