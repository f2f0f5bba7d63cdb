import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The limits of publishable keys. Clients and addresses are keyed hashes. The tables are unlogged: a crash of the
 * database resets the limits of the day.
 *
 * The first function locks the row of the key before that of a client, the second the set of a client before that of
 * the key, so that two calls of the same function cannot deadlock.
 */
export class PublishableKeys1764000000400 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNLOGGED TABLE publishable_requests (
        key_id    text NOT NULL,
        -- Keyed hash of the client's network; empty: all clients of the key.
        client    bytea NOT NULL,
        day       date NOT NULL,
        in_day    integer NOT NULL DEFAULT 0,
        minute    timestamptz NOT NULL,
        in_minute integer NOT NULL DEFAULT 0,
        PRIMARY KEY (key_id, client)
      ) WITH (fillfactor = 50);
      CREATE INDEX publishable_requests_day ON publishable_requests (day);

      CREATE UNLOGGED TABLE publishable_addresses (
        scope        bytea NOT NULL,
        address      bytea NOT NULL,
        requested_at timestamptz NOT NULL,
        PRIMARY KEY (scope, address)
      );
      CREATE INDEX publishable_addresses_requested ON publishable_addresses (requested_at);

      CREATE FUNCTION consume_publishable_request(
          key text, network bytea, per_minute integer, per_day integer, key_per_day integer)
        RETURNS TABLE (
          refused text, minute_left integer, day_left integer,
          minute_seconds double precision, day_seconds double precision
        ) LANGUAGE plpgsql AS $$
      #variable_conflict use_variable
      DECLARE
        whole publishable_requests; visitor publishable_requests;
        today date := rcpt_today(); this_minute timestamptz := date_trunc('minute', now()); at timestamptz;
      BEGIN
        PERFORM set_config('synchronous_commit', 'off', true);
        SELECT * INTO whole FROM publishable_requests r WHERE r.key_id = key AND r.client = '' FOR UPDATE;
        IF NOT FOUND THEN
          INSERT INTO publishable_requests AS r (key_id, client, day, minute) VALUES (key, '', today, this_minute)
            ON CONFLICT ON CONSTRAINT publishable_requests_pkey DO UPDATE SET key_id = excluded.key_id
            RETURNING r.* INTO whole;
        END IF;
        -- A transaction that began later may have been first.
        today := greatest(today, whole.day);
        this_minute := greatest(this_minute, whole.minute);
        at := greatest(now(), this_minute);
        day_seconds := extract(epoch FROM ((today + 1)::timestamp AT TIME ZONE 'UTC') - at);
        minute_seconds := extract(epoch FROM this_minute + interval '1 minute' - at);
        IF whole.day < today THEN whole.in_day := 0; END IF;

        SELECT * INTO visitor FROM publishable_requests r WHERE r.key_id = key AND r.client = network FOR UPDATE;
        IF visitor.day IS NULL OR visitor.day < today THEN visitor.in_day := 0; END IF;
        IF visitor.minute IS NULL OR visitor.minute < this_minute THEN visitor.in_minute := 0; END IF;

        refused := CASE WHEN whole.in_day >= key_per_day THEN 'key_day'
                        WHEN visitor.in_day >= per_day THEN 'client_day'
                        WHEN visitor.in_minute >= per_minute THEN 'client_minute' END;
        IF refused IS NULL THEN
          whole.in_day := whole.in_day + 1;
          visitor.in_day := visitor.in_day + 1;
          visitor.in_minute := visitor.in_minute + 1;
          UPDATE publishable_requests r SET day = today, in_day = whole.in_day, minute = this_minute
           WHERE r.key_id = key AND r.client = '';
          INSERT INTO publishable_requests AS r (key_id, client, day, in_day, minute, in_minute)
            VALUES (key, network, today, visitor.in_day, this_minute, visitor.in_minute)
            ON CONFLICT ON CONSTRAINT publishable_requests_pkey DO UPDATE
              SET day = excluded.day, in_day = excluded.in_day,
                  minute = excluded.minute, in_minute = excluded.in_minute;
        END IF;
        minute_left := per_minute - visitor.in_minute;
        day_left := per_day - visitor.in_day;
        RETURN NEXT;
      END $$;

      CREATE FUNCTION consume_publishable_address(scopes bytea[], limits integer[], requested bytea)
        RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM set_config('synchronous_commit', 'off', true);
        FOR n IN 1 .. cardinality(scopes) LOOP
          PERFORM pg_advisory_xact_lock(hashtextextended(encode(scopes[n], 'hex'), 0));
          DELETE FROM publishable_addresses
           WHERE scope = scopes[n] AND requested_at <= now() - interval '24 hours';
          CONTINUE WHEN EXISTS (SELECT FROM publishable_addresses WHERE scope = scopes[n] AND address = requested);
          IF (SELECT count(*) FROM publishable_addresses WHERE scope = scopes[n]) >= limits[n] THEN
            RETURN false;
          END IF;
        END LOOP;
        INSERT INTO publishable_addresses (scope, address, requested_at)
          SELECT scope, requested, now() FROM unnest(scopes) AS scope
          ON CONFLICT DO NOTHING;
        RETURN true;
      END $$;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP TABLE publishable_addresses, publishable_requests; DROP FUNCTION consume_publishable_request, consume_publishable_address',
    );
  }
}
