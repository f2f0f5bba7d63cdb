import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deferred checks that are repeated in the background, and their verdicts. */
export class PutOff1763600000600 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE put_off_checks (
        id             text PRIMARY KEY,
        team_id        text NOT NULL REFERENCES teams ON DELETE CASCADE,
        address_hash   bytea NOT NULL,
        -- The encrypted address; after completion the encrypted verdict, which contains it.
        sealed         text NOT NULL,
        reason         text NOT NULL,
        key_id         text NOT NULL,
        user_id        text,
        first_asked_at timestamptz NOT NULL,
        asked_again    integer NOT NULL DEFAULT 0,
        due_at         timestamptz NOT NULL,
        -- The worker that claimed the row, as a unique token per claim.
        lease          text,
        done_at        timestamptz,
        erase_at       timestamptz
      );
      CREATE UNIQUE INDEX put_off_checks_one_pending ON put_off_checks (team_id, address_hash)
        WHERE done_at IS NULL;
      CREATE INDEX put_off_checks_due ON put_off_checks (due_at) WHERE done_at IS NULL;
      CREATE INDEX put_off_checks_erase ON put_off_checks (erase_at) WHERE done_at IS NOT NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE put_off_checks');
  }
}
