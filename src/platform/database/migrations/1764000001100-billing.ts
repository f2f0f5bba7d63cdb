import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Customers and events of the payment provider. Neither table has a foreign key to teams: a subscription exists until
 * the provider has canceled it, which may be after the team is deleted.
 */
export class Billing1764000001100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE billing_customers (
        customer_id    text PRIMARY KEY,
        team_id        text NOT NULL UNIQUE,
        tier           text,
        state          text,
        ends_at        timestamptz,
        team_gone_at   timestamptz,
        version        bigint NOT NULL DEFAULT 0,
        failures       integer NOT NULL DEFAULT 0,
        -- null: only news wakes it.
        due_at         timestamptz,
        -- Those that may still be paid, so that a new one ends them.
        open_checkouts text[] NOT NULL DEFAULT '{}'
      );
      CREATE INDEX billing_customers_due ON billing_customers (due_at);

      -- Received events. The same transaction makes the customer due.
      CREATE TABLE billing_events (
        id          text PRIMARY KEY,
        customer_id text NOT NULL,
        received_at timestamptz NOT NULL
      );
      CREATE INDEX billing_events_age ON billing_events (received_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE billing_events, billing_customers');
  }
}
