import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests with an `Idempotency-Key` and their responses. */
export class IdempotencyKeys1763700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE idempotency_keys (
        team_id      text NOT NULL REFERENCES teams ON DELETE CASCADE,
        mode         text NOT NULL CHECK (mode IN ('live', 'test')),
        -- SHA-256, because a key may contain personal data.
        key_digest   bytea NOT NULL,
        -- null: the body is still coming in.
        fingerprint  bytea,
        -- Token of the request that holds the lease.
        owner        text NOT NULL,
        leased_until timestamptz NOT NULL,
        status       smallint,
        -- Encrypted, because a response may contain addresses.
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
