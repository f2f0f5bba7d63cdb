import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Outbox, audit log, failed requests, idempotency keys, outgoing mails, the check of SECRET_KEY, and the subjects whose rows are deleted
 * in batches. Most rows remain after a team is deleted, so they have no foreign key to teams.
 */
export class Database1764000000100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION audit_log_is_append_only()
        RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF TG_OP = 'DELETE' AND current_setting('rcpt.audit_retention', true) = 'on' THEN RETURN NULL; END IF;
          RAISE EXCEPTION 'the audit log is append-only';
        END $$;

      CREATE FUNCTION request_erasure()
        RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO erasures (subject) SELECT id FROM deleted ON CONFLICT DO NOTHING;
          RETURN NULL;
        END $$;

      CREATE TABLE outbox (
        id            text PRIMARY KEY,
        type          text NOT NULL,
        team_id       text NOT NULL,
        data          jsonb NOT NULL,
        occurred_at   timestamptz NOT NULL,
        attempts      integer NOT NULL DEFAULT 0,
        due_at        timestamptz NOT NULL DEFAULT now(),
        dispatched_at timestamptz
      );
      CREATE INDEX outbox_due ON outbox (due_at) WHERE dispatched_at IS NULL;
      CREATE INDEX outbox_dispatched ON outbox (dispatched_at) WHERE dispatched_at IS NOT NULL;

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
      CREATE INDEX audit_log_at ON audit_log (at);
      CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();

      CREATE TABLE failed_requests (
        id          text PRIMARY KEY,
        at          timestamptz NOT NULL,
        team_id     text NOT NULL,
        key_id      text NOT NULL,
        request_id  text NOT NULL,
        method      text NOT NULL,
        route       text,
        status      smallint NOT NULL,
        code        text,
        duration_ms integer NOT NULL
      );
      CREATE INDEX failed_requests_at ON failed_requests (at);
      CREATE INDEX failed_requests_team ON failed_requests (team_id, at, id);

      CREATE TABLE idempotency_keys (
        team_id      text NOT NULL,
        mode         text NOT NULL CHECK (mode IN ('live', 'test')),
        -- SHA-256, because a key may contain personal data.
        key_digest   bytea NOT NULL,
        -- null: the body is still coming in.
        fingerprint  bytea,
        -- Token of the request that holds the lease.
        holder       text NOT NULL,
        leased_until timestamptz NOT NULL,
        status       smallint,
        -- Encrypted, because a response may contain addresses.
        response     text,
        created_at   timestamptz NOT NULL DEFAULT now(),
        CHECK ((status IS NULL) = (response IS NULL)),
        PRIMARY KEY (team_id, mode, key_digest)
      );
      CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

      -- A mail contains an address and a token. It is stored encrypted and deleted after it is sent.
      CREATE TABLE outgoing_mails (
        -- Id of the invite, user or job.
        id         text PRIMARY KEY,
        kind       text NOT NULL CHECK (kind IN ('invite', 'signup', 'signin', 'list')),
        team_id    text NOT NULL REFERENCES teams ON DELETE CASCADE,
        -- Without a foreign key, which would lock the user after the job that the mail is about; NULL: found by its id.
        user_id    text,
        ciphertext text NOT NULL,
        attempts   integer NOT NULL DEFAULT 0,
        due_at     timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX outgoing_mails_due ON outgoing_mails (due_at);
      CREATE INDEX outgoing_mails_expiry ON outgoing_mails (expires_at);
      CREATE INDEX outgoing_mails_team ON outgoing_mails (team_id);

      -- Number of links per UTC day for an email address or network address, as keyed hashes.
      CREATE TABLE signup_mail_counts (
        day     date NOT NULL,
        counted bytea NOT NULL,
        mails   integer NOT NULL,
        PRIMARY KEY (day, counted)
      );

      -- Deleted teams and webhooks whose rows in large tables are deleted in batches.
      CREATE TABLE erasures (
        subject    text PRIMARY KEY,
        deleted_at timestamptz NOT NULL DEFAULT now(),
        due_at     timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX erasures_due ON erasures (due_at);

      -- One row, added at the first start. The text is known; the ciphertext is an envelope of SecretKeys.
      CREATE TABLE secret_key_check (
        id         boolean PRIMARY KEY DEFAULT true,
        ciphertext text NOT NULL,
        CONSTRAINT secret_key_check_one_row CHECK (id)
      );

      CREATE TRIGGER teams_erasure AFTER DELETE ON teams REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION request_erasure();
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP TRIGGER teams_erasure ON teams; DROP TABLE secret_key_check, erasures, signup_mail_counts, outgoing_mails, idempotency_keys, failed_requests, audit_log, outbox; DROP FUNCTION audit_log_is_append_only, request_erasure',
    );
  }
}
