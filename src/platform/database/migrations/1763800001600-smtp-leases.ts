import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the leases of connections to mail servers. The table is unlogged: leases last seconds, and a
 * crash of the database ends the requests of all processes.
 *
 * `sync_smtp_leases` decides one request after the other, each under the lock of its row, with the time
 * after the lock was acquired. Requests are in the order of their keys, so that two calls cannot
 * deadlock. `domain/lease-store.ts` describes the rules.
 */
export class SmtpLeases1763800001600 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNLOGGED TABLE smtp_leases (
        egress     text NOT NULL,
        server     text NOT NULL,
        -- Process → connections that it may have, that count as its own, and that it wants; its sessions
        -- and limit; since when it has or waits for a connection, until when this holds, in milliseconds.
        shares     jsonb NOT NULL DEFAULT '{}',
        -- In whole minutes, so that most updates change no index.
        expires_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (egress, server)
      ) WITH (fillfactor = 50);
      CREATE INDEX smtp_leases_expires ON smtp_leases (expires_at);

      CREATE FUNCTION sync_smtp_leases(process text, requests jsonb, ttl_ms integer, turn_ms integer)
      RETURNS TABLE (request integer, granted integer, others integer, contended boolean, processes integer)
      LANGUAGE plpgsql AS $function$
      #variable_conflict use_variable
      DECLARE
        ask record; rest record; mine jsonb; known jsonb;
        now_ms bigint; since_ms bigint; had integer; fair integer; most integer; free integer; is_full boolean;
      BEGIN
        PERFORM set_config('synchronous_commit', 'off', true);
        FOR ask IN
          SELECT (n - 1)::integer AS n, each->>'egress' AS egress, each->>'server' AS server,
                 (each->>'held')::integer AS held, (each->>'open')::integer AS open,
                 (each->>'wanted')::integer AS wanted, (each->>'limit')::integer AS most
            FROM jsonb_array_elements(requests) WITH ORDINALITY AS e (each, n)
           ORDER BY 2, 3
        LOOP
          SELECT l.shares INTO known FROM smtp_leases l
           WHERE l.egress = ask.egress AND l.server = ask.server FOR UPDATE;
          IF NOT FOUND THEN
            INSERT INTO smtp_leases AS l (egress, server) VALUES (ask.egress, ask.server)
              ON CONFLICT ON CONSTRAINT smtp_leases_pkey DO UPDATE SET egress = excluded.egress
              RETURNING l.shares INTO known;
          END IF;
          now_ms := floor(extract(epoch FROM clock_timestamp()) * 1000);
          SELECT coalesce(jsonb_object_agg(s.key, s.value), '{}') INTO known
            FROM jsonb_each(known) s WHERE (s.value->>'until')::bigint > now_ms;
          mine := known->process;
          known := known - process;
          had := coalesce((mine->>'allowed')::integer, 0);
          since_ms := coalesce((mine->>'since')::bigint, now_ms);

          SELECT count(*) FILTER (WHERE s.wanted > 0) AS busy,
                 coalesce(sum(s.granted), 0) AS granted, coalesce(sum(s.open), 0) AS open,
                 least(ask.most, min(s.most)) AS most,
                 coalesce(bool_or(s.wanted > s.granted), false) AS short,
                 coalesce(bool_or(s.wanted > 0 AND s.granted = 0), false) AS starved,
                 count(*) FILTER (WHERE s.wanted > 0 AND s.granted = 0
                                    AND (s.since, e.key) < (since_ms, process)) AS earlier
            INTO rest
            FROM jsonb_each(known) e,
                 jsonb_to_record(e.value) AS s (granted integer, open integer, wanted integer, most integer, since bigint);
          processes := rest.busy + (ask.wanted > 0)::integer;
          fair := greatest(1, rest.most / greatest(processes, 1));
          free := greatest(0, rest.most - rest.granted);
          is_full := processes > rest.most;
          IF NOT is_full THEN
            SELECT rest.most - coalesce(sum(greatest(s.granted, least(s.wanted, fair))), 0) INTO most
              FROM jsonb_each(known) e, jsonb_to_record(e.value) AS s (granted integer, wanted integer);
            most := greatest(fair, most);
          ELSIF had > 0 THEN
            most := (NOT (rest.starved AND now_ms - since_ms >= turn_ms))::integer;
          ELSE
            most := (free > rest.earlier)::integer;
          END IF;
          granted := least(ask.wanted, most, free);
          IF (had > 0) <> (granted > 0) THEN since_ms := now_ms; END IF;
          IF ask.wanted > 0 OR ask.held > 0 THEN
            known := known || jsonb_build_object(process, jsonb_build_object(
              'allowed', granted, 'granted', greatest(granted, ask.held), 'open', ask.open, 'wanted', ask.wanted,
              'most', ask.most, 'since', since_ms, 'until', now_ms + ttl_ms));
          END IF;
          UPDATE smtp_leases l
             SET shares = known, expires_at = to_timestamp((now_ms + ttl_ms) / 60000 * 60 + 60)
           WHERE l.egress = ask.egress AND l.server = ask.server;

          request := ask.n;
          others := rest.open;
          contended := rest.short;
          RETURN NEXT;
        END LOOP;
      END $function$;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP FUNCTION sync_smtp_leases(text, jsonb, integer, integer);
      DROP TABLE smtp_leases`);
  }
}
