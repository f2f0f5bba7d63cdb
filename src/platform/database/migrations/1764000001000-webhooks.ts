import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks and their deliveries. */
export class Webhooks1764000001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE webhooks (
        id              text PRIMARY KEY,
        team_id         text NOT NULL REFERENCES teams ON DELETE CASCADE,
        mode            text NOT NULL CHECK (mode IN ('live', 'test')),
        url             text NOT NULL,
        -- NULL: all types, including future ones.
        events          jsonb,
        description     text,
        disabled_reason text CHECK (disabled_reason IN ('owner', 'gone', 'failing')),
        -- Newest first, encrypted under SECRET_KEY. Older secrets also sign until they expire.
        secrets         jsonb NOT NULL,
        created_at      timestamptz NOT NULL,
        -- Start of the current series of failures; NULL: the last delivery succeeded.
        failing_since   timestamptz,
        -- Whether the receiver has ever worked: one that has not is disabled sooner.
        has_succeeded   boolean NOT NULL DEFAULT false
      );
      CREATE INDEX webhooks_page ON webhooks (team_id, created_at DESC, id DESC);

      CREATE TABLE webhook_deliveries (
        id           text PRIMARY KEY,
        webhook_id   text NOT NULL,
        event_id     text NOT NULL,
        type         text NOT NULL,
        -- Ids and counts, without addresses.
        data         jsonb NOT NULL,
        occurred_at  timestamptz NOT NULL,
        created_at   timestamptz NOT NULL,
        status       text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
        -- The latest attempts, in order.
        attempts     jsonb NOT NULL DEFAULT '[]',
        -- Number of completed steps of the retry schedule.
        tries        integer NOT NULL DEFAULT 0,
        due_at       timestamptz,
        lease        uuid,
        leased_until timestamptz NOT NULL DEFAULT '-infinity',
        CHECK ((status = 'pending') = (due_at IS NOT NULL)),
        UNIQUE (webhook_id, event_id)
      );
      CREATE INDEX webhook_deliveries_page ON webhook_deliveries (webhook_id, created_at DESC, id DESC);
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at)
        WHERE status = 'pending';
      CREATE INDEX webhook_deliveries_held ON webhook_deliveries (webhook_id) WHERE lease IS NOT NULL;
      CREATE INDEX webhook_deliveries_old ON webhook_deliveries (created_at);

      CREATE TRIGGER webhooks_erasure AFTER DELETE ON webhooks REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION request_erasure();
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE webhook_deliveries, webhooks');
  }
}
