import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Outbox and audit log. Neither has a foreign key to teams: rows remain after a team is deleted. */
export class NewsAndAudit1763600000100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE outbox (
        id          text PRIMARY KEY,
        type        text NOT NULL,
        team_id     text NOT NULL,
        data        jsonb NOT NULL,
        occurred_at timestamptz NOT NULL,
        attempts    integer NOT NULL DEFAULT 0,
        due_at      timestamptz NOT NULL DEFAULT now(),
        told_at     timestamptz
      );
      CREATE INDEX outbox_due ON outbox (due_at) WHERE told_at IS NULL;
      CREATE INDEX outbox_told ON outbox (told_at) WHERE told_at IS NOT NULL;

      CREATE TABLE audit_log (
        seq           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id            text NOT NULL,
        at            timestamptz NOT NULL,
        action        text NOT NULL,
        team_id       text NOT NULL,
        target_type   text NOT NULL,
        target_id     text NOT NULL,
        details       jsonb NOT NULL,
        actor_user_id text,
        actor_key_id  text,
        ip            text,
        request_id    text
      );
      CREATE INDEX audit_log_team ON audit_log (team_id, at DESC, seq DESC);

      CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$;
      CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE audit_log, outbox; DROP FUNCTION audit_log_is_append_only');
  }
}
