import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was asked for under an `Idempotency-Key`, and how it was answered. */
export class IdempotencyKeys1763700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE idempotency_keys (
        team_id      text NOT NULL REFERENCES teams ON DELETE CASCADE,
        mode         text NOT NULL CHECK (mode IN ('live', 'test')),
        -- SHA-256: people put all sorts of things into a key.
        key_digest   bytea NOT NULL,
        -- null: the body is still coming in.
        fingerprint  bytea,
        -- The request that may answer, for as long as it says that it lives.
        owner        text NOT NULL,
        leased_until timestamptz NOT NULL,
        status       smallint,
        -- Encrypted: an answer may hold addresses.
        answer       text,
        created_at   timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (team_id, mode, key_digest),
        CHECK ((status IS NULL) = (answer IS NULL))
      );
      CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE idempotency_keys');
  }
}
