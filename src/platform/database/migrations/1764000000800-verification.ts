import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Facts about addresses as keyed hashes, rechecks, and what processes share about mail servers. */
export class Verification1764000000800 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Contains the keyed hash of the address, per team, not the address.
      CREATE TABLE address_facts (
        team_id      text NOT NULL,
        address_hash bytea NOT NULL,
        facts        jsonb NOT NULL,
        observed_at  timestamptz NOT NULL,
        expires_at   timestamptz NOT NULL,
        PRIMARY KEY (team_id, address_hash)
      );
      CREATE INDEX address_facts_expiry ON address_facts (expires_at);

      CREATE TABLE rechecks (
        id             text PRIMARY KEY,
        -- No foreign key: a deleted team's rows are deleted in batches.
        team_id        text NOT NULL,
        -- The list of the row; NULL: a single check.
        list           bigint,
        address_hash   bytea NOT NULL,
        -- Number of rows with this address in the list.
        rows           integer NOT NULL DEFAULT 1,
        -- Encrypted under SECRET_KEY; NULL once completed.
        address        text,
        -- The latest verdict, encrypted because it contains the address.
        verdict        text,
        -- Time of the first result.
        reason         text NOT NULL,
        -- The key and user to charge; NULL for list rows, whose quota is reserved.
        key_id         text,
        user_id        text,
        first_requested_at timestamptz NOT NULL,
        -- Rechecks with a result.
        attempts       integer NOT NULL DEFAULT 0,
        -- Claims since the last result.
        claims         integer NOT NULL DEFAULT 0,
        -- NULL: completed; the verdict is stored until erase_at.
        due_at         timestamptz,
        lease          uuid,
        leased_until   timestamptz NOT NULL DEFAULT '-infinity',
        erase_at       timestamptz,
        -- Whether a publishable key is charged.
        publishable    boolean NOT NULL DEFAULT false,
        CHECK ((due_at IS NULL) = (erase_at IS NOT NULL))
      );
      CREATE UNIQUE INDEX rechecks_one_pending ON rechecks (team_id, address_hash)
        WHERE list IS NULL AND due_at IS NOT NULL;
      CREATE UNIQUE INDEX rechecks_list ON rechecks (list, address_hash) WHERE list IS NOT NULL;
      CREATE INDEX rechecks_due ON rechecks (due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX rechecks_team_due ON rechecks (team_id, due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX rechecks_team_completed ON rechecks (team_id) WHERE due_at IS NULL;
      CREATE INDEX rechecks_leased ON rechecks (team_id) WHERE lease IS NOT NULL;
      CREATE INDEX rechecks_erase ON rechecks (erase_at) WHERE erase_at IS NOT NULL;

      CREATE TABLE egress_warmup (
        egress   text NOT NULL,
        provider text NOT NULL,
        day      date NOT NULL,
        -- NULL: the egress is known at the provider.
        ceiling  integer,
        used     integer NOT NULL,
        PRIMARY KEY (egress, provider)
      );

      -- Of the day in egress_warmup.
      CREATE TABLE egress_warmup_teams (
        egress   text NOT NULL,
        provider text NOT NULL,
        team_id  text NOT NULL,
        used     integer NOT NULL,
        rejected integer NOT NULL,
        PRIMARY KEY (egress, provider, team_id)
      );

      CREATE UNLOGGED TABLE smtp_permits (
        egress     text NOT NULL,
        server     text NOT NULL,
        shares     jsonb NOT NULL DEFAULT '{}',
        expires_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (egress, server)
      ) WITH (fillfactor = 50);
      CREATE INDEX smtp_permits_expires ON smtp_permits (expires_at);

      CREATE UNLOGGED TABLE smtp_shared_state (
        kind       text NOT NULL,
        key        text NOT NULL,
        value      jsonb NOT NULL,
        process    text NOT NULL,
        changed_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (kind, key)
      );
      CREATE INDEX smtp_shared_state_changed ON smtp_shared_state (changed_at);
      CREATE INDEX smtp_shared_state_expires ON smtp_shared_state (expires_at);

      CREATE FUNCTION sync_smtp_permits(process text, requests jsonb, ttl_ms integer, turn_ms integer)
        RETURNS TABLE (
          request integer, granted integer, others integer,
          contended boolean, processes integer
        ) LANGUAGE plpgsql AS $$
      #variable_conflict use_variable
      DECLARE
        demand record; rest record; own jsonb; known jsonb;
        now_ms bigint; since_ms bigint; had integer; fair integer; most integer; free integer; is_full boolean;
      BEGIN
        PERFORM set_config('synchronous_commit', 'off', true);
        FOR demand IN
          SELECT (n - 1)::integer AS n, item->>'egress' AS egress, item->>'server' AS server,
                 (item->>'held')::integer AS held, (item->>'open')::integer AS open,
                 (item->>'wanted')::integer AS wanted, (item->>'queued')::integer AS queued,
                 (item->>'limit')::integer AS most
            FROM jsonb_array_elements(requests) WITH ORDINALITY AS e (item, n)
           ORDER BY 2, 3
        LOOP
          SELECT l.shares INTO known FROM smtp_permits l
           WHERE l.egress = demand.egress AND l.server = demand.server FOR UPDATE;
          IF NOT FOUND THEN
            INSERT INTO smtp_permits AS l (egress, server) VALUES (demand.egress, demand.server)
              ON CONFLICT ON CONSTRAINT smtp_permits_pkey DO UPDATE SET egress = excluded.egress
              RETURNING l.shares INTO known;
          END IF;
          now_ms := floor(extract(epoch FROM clock_timestamp()) * 1000);
          SELECT coalesce(jsonb_object_agg(s.key, s.value), '{}') INTO known
            FROM jsonb_each(known) s WHERE (s.value->>'until')::bigint > now_ms;
          own := known->process;
          known := known - process;
          had := coalesce((own->>'allowed')::integer, 0);
          since_ms := coalesce((own->>'since')::bigint, now_ms);

          SELECT count(*) FILTER (WHERE s.wanted > 0) AS busy,
                 coalesce(sum(s.granted), 0) AS granted, coalesce(sum(s.open), 0) AS open,
                 least(demand.most, min(s.most)) AS most,
                 coalesce(bool_or(s.wanted > s.granted), false) AS short,
                 coalesce(bool_or(s.wanted > 0 AND s.granted = 0), false) AS starved,
                 count(*) FILTER (WHERE s.wanted > 0 AND s.granted = 0
                                    AND (s.since, e.key) < (since_ms, process)) AS earlier
            INTO rest
            FROM jsonb_each(known) e,
                 jsonb_to_record(e.value) AS s (granted integer, open integer, wanted integer, most integer, since bigint);
          processes := rest.busy + (demand.wanted > 0)::integer;
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
          granted := least(demand.wanted, most, free);
          IF (had > 0) <> (granted > 0) THEN since_ms := now_ms; END IF;
          IF demand.wanted > 0 OR demand.held > 0 THEN
            known := known || jsonb_build_object(process, jsonb_build_object(
              'allowed', granted, 'granted', greatest(granted, demand.held), 'open', demand.open, 'wanted', demand.wanted,
              'queued', demand.queued, 'most', demand.most, 'since', since_ms, 'until', now_ms + ttl_ms));
          END IF;
          UPDATE smtp_permits l
             SET shares = known, expires_at = to_timestamp((now_ms + ttl_ms) / 60000 * 60 + 60)
           WHERE l.egress = demand.egress AND l.server = demand.server;

          request := demand.n;
          others := rest.open;
          contended := rest.short;
          RETURN NEXT;
        END LOOP;
      END $$;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP TABLE smtp_shared_state, smtp_permits, egress_warmup_teams, egress_warmup, rechecks, address_facts; DROP FUNCTION sync_smtp_permits',
    );
  }
}
