import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Daily usage and quota. Contains no addresses and no foreign key to teams: totals remain after a team is deleted. */
export class Usage1763600000200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- The day of a charge comes from the clock of the database only.
      CREATE FUNCTION rcpt_today() RETURNS date LANGUAGE sql STABLE AS
        $$ SELECT (now() AT TIME ZONE 'utc')::date $$;

      CREATE TABLE quota_days (
        team_id  text NOT NULL,
        day      date NOT NULL,
        used     integer NOT NULL DEFAULT 0 CHECK (used >= 0),
        reserved integer NOT NULL DEFAULT 0 CHECK (reserved >= 0),
        warned   boolean NOT NULL DEFAULT false,
        exceeded boolean NOT NULL DEFAULT false,
        PRIMARY KEY (team_id, day)
      );

      -- The part of "reserved" that each process holds. "turns" counts its updates, so that none is applied twice.
      CREATE TABLE quota_leases (
        id         uuid NOT NULL,
        day        date NOT NULL,
        team_id    text NOT NULL,
        units      integer NOT NULL CHECK (units >= 0),
        turns      integer NOT NULL DEFAULT 0,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (id, day)
      );
      CREATE INDEX quota_leases_expiry ON quota_leases (expires_at);

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
        PRIMARY KEY (team_id, day, account)
      );
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE usage_days, quota_leases, quota_days; DROP FUNCTION rcpt_today');
  }
}
