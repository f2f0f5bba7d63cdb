import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the indexes that batch deletes need, and removes cascades that delete without batches. */
export class Retention1763800000900 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Deleted teams and webhooks whose rows in large tables are deleted in batches.
      CREATE TABLE erasures (
        owner      text PRIMARY KEY,
        deleted_at timestamptz NOT NULL DEFAULT now(),
        due_at     timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX erasures_due ON erasures (due_at);
      -- A trigger, so that every way to delete a team or webhook is covered.
      CREATE FUNCTION request_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO erasures (owner) SELECT id FROM deleted ON CONFLICT DO NOTHING;
          RETURN NULL;
        END $$;
      CREATE TRIGGER teams_erasure AFTER DELETE ON teams REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION request_erasure();
      CREATE TRIGGER webhooks_erasure AFTER DELETE ON webhooks REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION request_erasure();

      -- These cascades delete an unbounded number of rows in one statement.
      ALTER TABLE address_facts DROP CONSTRAINT address_facts_team_id_fkey;
      ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_team_id_fkey;
      ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_webhook_id_fkey;

      -- Only the retention task may delete rows; it sets rcpt.audit_retention in its transaction.
      CREATE OR REPLACE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF TG_OP = 'DELETE' AND current_setting('rcpt.audit_retention', true) = 'on' THEN RETURN NULL; END IF;
          RAISE EXCEPTION 'the audit log is append-only';
        END $$;
      CREATE INDEX audit_log_at ON audit_log (at);
      CREATE INDEX usage_days_day ON usage_days (day);
      CREATE INDEX quota_days_day ON quota_days (day);

      -- For the foreign key checks when a user is deleted.
      CREATE INDEX api_keys_user ON api_keys (user_id);
      CREATE INDEX blocklist_entries_creator ON blocklist_entries (created_by);
      CREATE INDEX disposable_overrides_creator ON disposable_overrides (created_by);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX disposable_overrides_creator, blocklist_entries_creator, api_keys_user,
        quota_days_day, usage_days_day, audit_log_at;
      CREATE OR REPLACE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$;
      DELETE FROM webhook_deliveries d WHERE NOT EXISTS (SELECT FROM webhooks w WHERE w.id = d.webhook_id);
      DELETE FROM idempotency_keys k WHERE NOT EXISTS (SELECT FROM teams t WHERE t.id = k.team_id);
      DELETE FROM address_facts f WHERE NOT EXISTS (SELECT FROM teams t WHERE t.id = f.team_id);
      ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_webhook_id_fkey
        FOREIGN KEY (webhook_id) REFERENCES webhooks ON DELETE CASCADE;
      ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_team_id_fkey
        FOREIGN KEY (team_id) REFERENCES teams ON DELETE CASCADE;
      ALTER TABLE address_facts ADD CONSTRAINT address_facts_team_id_fkey
        FOREIGN KEY (team_id) REFERENCES teams ON DELETE CASCADE;
      DROP TRIGGER webhooks_erasure ON webhooks;
      DROP TRIGGER teams_erasure ON teams;
      DROP FUNCTION request_erasure;
      DROP TABLE erasures;
    `);
  }
}
