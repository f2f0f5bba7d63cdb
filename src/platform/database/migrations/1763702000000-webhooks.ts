import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where teams want to hear of what happens, and what was sent there. */
export class Webhooks1763702000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE webhooks (
        id              text PRIMARY KEY,
        team_id         text NOT NULL REFERENCES teams ON DELETE CASCADE,
        mode            text NOT NULL CHECK (mode IN ('live', 'test')),
        url             text NOT NULL,
        -- NULL: all, also those that there will be.
        events          jsonb,
        description     text,
        disabled_reason text CHECK (disabled_reason IN ('owner', 'gone', 'failing')),
        -- The newest first, closed under SECRET_KEY; the others sign too until their time is over.
        secrets         jsonb NOT NULL,
        created_at      timestamptz NOT NULL,
        -- Since when nothing arrived; NULL: the last delivery did.
        failing_since   timestamptz,
        -- When a delivery was last taken up: whose turn it is.
        served_at       timestamptz
      );
      CREATE INDEX webhooks_page ON webhooks (team_id, created_at DESC, id DESC);

      CREATE TABLE webhook_deliveries (
        id           text PRIMARY KEY,
        webhook_id   text NOT NULL REFERENCES webhooks ON DELETE CASCADE,
        event_id     text NOT NULL,
        type         text NOT NULL,
        -- Ids and counts, as published: never an address.
        data         jsonb NOT NULL,
        occurred_at  timestamptz NOT NULL,
        created_at   timestamptz NOT NULL,
        status       text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
        -- The latest attempts, in their order.
        attempts     jsonb NOT NULL DEFAULT '[]',
        -- How many steps of the schedule are behind it.
        tries        integer NOT NULL DEFAULT 0,
        due_at       timestamptz,
        lease        uuid,
        leased_until timestamptz NOT NULL DEFAULT '-infinity',
        CHECK ((status = 'pending') = (due_at IS NOT NULL)),
        UNIQUE (webhook_id, event_id)
      );
      CREATE INDEX webhook_deliveries_page ON webhook_deliveries (webhook_id, created_at DESC, id DESC);
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at) WHERE status = 'pending';
      CREATE INDEX webhook_deliveries_held ON webhook_deliveries (webhook_id) WHERE lease IS NOT NULL;
      CREATE INDEX webhook_deliveries_old ON webhook_deliveries (created_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE webhook_deliveries, webhooks');
  }
}
