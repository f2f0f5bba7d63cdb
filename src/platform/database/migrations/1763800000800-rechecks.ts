import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Converts deferred rows of open lists to chunks of one address, which are verified again. */
const rowsToChunks = (table: string, hash: string, deferred: string) => `
  WITH moved AS (
    INSERT INTO bulk_chunks (list, no, hash_from, hash_to)
    SELECT r.list, 1000000 + row_number() OVER (PARTITION BY r.list ORDER BY r.${hash}), r.${hash}, r.${hash} || '\\x00'
      FROM ${table} r JOIN bulk_jobs j USING (list) WHERE j.state IN ('queued', 'running')
    RETURNING list
  )
  UPDATE bulk_jobs j SET chunks_left = chunks_left + m.count, ${deferred} = ${deferred} - m.count
    FROM (SELECT list, count(*) AS count FROM moved GROUP BY list) m WHERE m.list = j.list`;

/**
 * One table for the rechecks of single checks and of list rows. The address is encrypted, which SQL
 * cannot do, so deferred rows of open lists are verified again instead of copied.
 */
export class Rechecks1763800000800 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE rechecks (
        id             text PRIMARY KEY,
        -- No foreign key: a deleted team's rows are deleted in batches.
        team_id        text NOT NULL,
        -- The list of the row; NULL: a single check.
        list           bigint,
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
        first_asked_at timestamptz NOT NULL,
        -- Rechecks with a result.
        attempts       integer NOT NULL DEFAULT 0,
        -- Claims since the last result.
        claims         integer NOT NULL DEFAULT 0,
        -- NULL: completed; the verdict is stored until erase_at.
        due_at         timestamptz,
        lease          uuid,
        leased_until   timestamptz NOT NULL DEFAULT '-infinity',
        erase_at       timestamptz,
        CHECK ((due_at IS NULL) = (erase_at IS NOT NULL))
      );
      INSERT INTO rechecks (id, team_id, address_hash, address, verdict, reason, key_id, user_id,
                            first_asked_at, attempts, due_at, erase_at)
      SELECT id, team_id, address_hash, CASE WHEN done_at IS NULL THEN sealed END,
             CASE WHEN done_at IS NOT NULL THEN sealed END, reason, key_id, user_id,
             first_asked_at, asked_again, CASE WHEN done_at IS NULL THEN due_at END,
             CASE WHEN done_at IS NOT NULL THEN coalesce(erase_at, now()) END
        FROM put_off_checks;
      CREATE UNIQUE INDEX rechecks_one_pending ON rechecks (team_id, address_hash)
        WHERE list IS NULL AND due_at IS NOT NULL;
      CREATE UNIQUE INDEX rechecks_list ON rechecks (list, address_hash) WHERE list IS NOT NULL;
      CREATE INDEX rechecks_due ON rechecks (due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX rechecks_team_due ON rechecks (team_id, due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX rechecks_team_completed ON rechecks (team_id) WHERE due_at IS NULL;
      CREATE INDEX rechecks_leased ON rechecks (team_id) WHERE lease IS NOT NULL;
      CREATE INDEX rechecks_erase ON rechecks (erase_at) WHERE erase_at IS NOT NULL;
      -- When a recheck of the team was last claimed. Among teams with equal numbers of claims the oldest is next.
      CREATE TABLE recheck_teams (
        team_id   text PRIMARY KEY,
        served_at timestamptz NOT NULL
      );
      CREATE INDEX recheck_teams_served ON recheck_teams (served_at);
      DROP TABLE put_off_checks;

      ${rowsToChunks('bulk_parked', 'hash', 'parked_left')};
      DROP TABLE bulk_parked;
      ALTER TABLE bulk_jobs RENAME COLUMN parked_left TO deferred_left;
      ALTER TABLE bulk_jobs RENAME CONSTRAINT bulk_jobs_parked_left_check TO bulk_jobs_deferred_left_check;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE bulk_jobs RENAME COLUMN deferred_left TO parked_left;
      ALTER TABLE bulk_jobs RENAME CONSTRAINT bulk_jobs_deferred_left_check TO bulk_jobs_parked_left_check;
      ${rowsToChunks('rechecks', 'address_hash', 'parked_left')};
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

      CREATE TABLE put_off_checks (
        id             text PRIMARY KEY,
        team_id        text NOT NULL REFERENCES teams ON DELETE CASCADE,
        address_hash   bytea NOT NULL,
        sealed         text NOT NULL,
        reason         text NOT NULL,
        key_id         text NOT NULL,
        user_id        text,
        first_asked_at timestamptz NOT NULL,
        asked_again    integer NOT NULL DEFAULT 0,
        due_at         timestamptz NOT NULL,
        lease          text,
        done_at        timestamptz,
        erase_at       timestamptz
      );
      INSERT INTO put_off_checks (id, team_id, address_hash, sealed, reason, key_id, user_id,
                                  first_asked_at, asked_again, due_at, done_at, erase_at)
      SELECT r.id, team_id, address_hash, coalesce(address, verdict), reason, coalesce(key_id, ''), user_id,
             first_asked_at, attempts, coalesce(due_at, first_asked_at),
             CASE WHEN due_at IS NULL THEN first_asked_at END, erase_at
        FROM rechecks r JOIN teams ON teams.id = team_id WHERE list IS NULL;
      CREATE UNIQUE INDEX put_off_checks_one_pending ON put_off_checks (team_id, address_hash)
        WHERE done_at IS NULL;
      CREATE INDEX put_off_checks_due ON put_off_checks (due_at) WHERE done_at IS NULL;
      CREATE INDEX put_off_checks_erase ON put_off_checks (erase_at) WHERE done_at IS NOT NULL;
      DROP TABLE recheck_teams, rechecks;
    `);
  }
}
