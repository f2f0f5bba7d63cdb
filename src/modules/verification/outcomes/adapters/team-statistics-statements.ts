/** Days within which a bounce contradicts the acceptance of the address. */
const RETURNED_WITHIN = `interval '30 days'`;

export const GET = `
  SELECT (SELECT statistics FROM outcome_statistics WHERE team_id = $1) AS learned,
         EXISTS (SELECT FROM outcome_statistics WHERE team_id = $1) AS "hasOutcomes",
         ARRAY(SELECT host FROM outcome_hosts WHERE team_id = $1) AS returning`;

export const ADD_TEAM = `
  INSERT INTO outcome_statistics (team_id, changed_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`;

/** In the order of the primary key, like those below, so that concurrent statements lock rows in the same order. */
export const COUNT_ACCEPTED = `
  INSERT INTO outcome_accepted AS known (team_id, host, name, day, addresses, since)
  SELECT $1, decode(host, 'hex'), decode(name, 'hex'), day, addresses, since
    FROM jsonb_to_recordset($2::jsonb) AS count (
      host text, name text, day date, addresses integer, since timestamptz)
   ORDER BY 2, 3, 4
  ON CONFLICT (team_id, host, name, day) DO UPDATE
     SET addresses = known.addresses + excluded.addresses, since = least(known.since, excluded.since)`;

/**
 * An outcome may arrive before its verdict is stored, in another process: then the verdict completes it. A bounce says
 * nothing about the verdict that was given before it.
 */
export const ADD_VERDICTS = `
  WITH verdict AS MATERIALIZED (
    SELECT DISTINCT ON (address_hash, day) *
      FROM (SELECT decode(hash, 'hex') AS address_hash, ("verifiedAt" AT TIME ZONE 'UTC')::date AS day,
                   "verifiedAt" AS verified_at, reason, "reasonOfFacts" AS facts_reason, host, provider,
                   "isAccepted" AS is_accepted, estimate
              FROM jsonb_to_recordset($2::jsonb) AS verdict (
                hash text, "verifiedAt" timestamptz, reason text, "reasonOfFacts" text, host text, provider text,
                "isAccepted" boolean, estimate real)
             WHERE EXISTS (SELECT FROM outcome_statistics WHERE team_id = $1)) AS given
     ORDER BY address_hash, day, verified_at DESC
  ), early AS (
    SELECT outcome.event_key, verdict.*
      FROM verdict
      CROSS JOIN LATERAL (
        SELECT event_key FROM outcomes
         WHERE team_id = $1 AND outcomes.address_hash = verdict.address_hash AND outcomes.reason IS NULL
           AND at >= verdict.verified_at AND verdict.reason <> 'bounced'
         ORDER BY event_key FOR UPDATE) AS outcome
  ), completed AS (
    UPDATE outcomes
       SET reason = early.reason, facts_reason = early.facts_reason, host = early.host,
           provider = early.provider, accepted_at = CASE WHEN early.is_accepted THEN early.verified_at END,
           estimate = early.estimate
      FROM early
     WHERE outcomes.team_id = $1 AND outcomes.address_hash = early.address_hash AND outcomes.event_key = early.event_key
    RETURNING 1
  ), changed AS (
    UPDATE outcome_statistics SET changed_at = $3 WHERE team_id = $1 AND EXISTS (SELECT FROM completed)
  )
  INSERT INTO outcome_verdicts AS known
    (team_id, address_hash, day, verified_at, reason, facts_reason, host, provider, is_accepted, estimate)
  SELECT $1, address_hash, day, verified_at, reason, facts_reason, host, provider, is_accepted, estimate FROM verdict
   ORDER BY address_hash, day
  ON CONFLICT (team_id, address_hash, day) DO UPDATE
     SET verified_at = excluded.verified_at, reason = excluded.reason, facts_reason = excluded.facts_reason,
         host = excluded.host, provider = excluded.provider, is_accepted = excluded.is_accepted,
         estimate = excluded.estimate
   WHERE excluded.verified_at > known.verified_at AND excluded.reason <> 'bounced'`;

export const DUE = `
  SELECT team_id AS "teamId" FROM outcome_statistics
   WHERE learned_at IS NULL OR changed_at >= learned_at OR learned_at < $1
   ORDER BY learned_at NULLS FIRST LIMIT $2`;

/** From one source to the next in the index, because one source may have a million outcomes. */
export const COMPLETE = `
  WITH RECURSIVE sources AS (
    (SELECT source FROM outcomes WHERE team_id = $1 AND source IS NOT NULL ORDER BY source LIMIT 1)
    UNION ALL
    SELECT (SELECT source FROM outcomes WHERE team_id = $1 AND source > sources.source ORDER BY source LIMIT 1)
      FROM sources WHERE sources.source IS NOT NULL)
  SELECT source FROM sources
   WHERE EXISTS (SELECT FROM outcomes
                  WHERE team_id = $1 AND outcomes.source = sources.source AND kind = 'delivered' AND at > $2)`;

/** The source is not in $3. */
const IS_INCOMPLETE = '(source IS NULL OR source <> ALL ($3::text[]))';

export const GROUPS = `
  SELECT reason, host, provider, domain, count(*)::integer AS addresses,
         count(*) FILTER (WHERE kind = 'delivered')::integer AS delivered,
         count(*) FILTER (WHERE kind = 'bounced' AND ${IS_INCOMPLETE})::integer AS "bouncesOnly",
         count(*) FILTER (WHERE kind = 'delivered' AND ${IS_INCOMPLETE})::integer AS "deliveredToo"
    FROM (
      SELECT DISTINCT ON (address_hash) coalesce(facts_reason, reason) AS reason, host, provider, domain, kind,
             source
        FROM outcomes
       WHERE team_id = $1 AND at > $2 AND (is_hard OR kind = 'delivered') AND reason IS NOT NULL
       ORDER BY address_hash, at DESC) AS latest
   GROUP BY reason, host, provider, domain
   ORDER BY 5 DESC LIMIT $4`;

const IS_RETURNED = `is_hard AND at <= accepted_at + ${RETURNED_WITHIN}`;
/** Outcomes of addresses that had been accepted, both in the window. */
const OF_ACCEPTED = `
  team_id = $1 AND at > $2 AND accepted_at > $2 AND outcomes.host IS NOT NULL
  AND (is_hard OR kind <> 'bounced')`;

export const RETURNED = `
  SELECT host, provider, domain, count(*)::integer AS outcomes,
         count(*) FILTER (WHERE bounced)::integer AS bounced,
         count(*) FILTER (WHERE NOT bounced)::integer AS delivered,
         count(*) FILTER (WHERE incomplete)::integer AS "bouncesOnly"
    FROM (
      SELECT host, provider, domain, bool_or(${IS_RETURNED}) AS bounced,
             bool_or(${IS_RETURNED} AND ${IS_INCOMPLETE}) AS incomplete
        FROM outcomes WHERE ${OF_ACCEPTED}
       GROUP BY host, provider, domain, address_hash) AS known
   GROUP BY host, provider, domain
   ORDER BY 4 DESC LIMIT $4`;

/** $3 to $6: places, and since when they count. */
export const BOUNCED = `
  SELECT n::integer, count(DISTINCT address_hash)::integer AS bounced
    FROM unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[])
         WITH ORDINALITY AS place (host, domain, provider, since, n)
    JOIN outcomes
      ON outcomes.host = place.host AND outcomes.domain = place.domain
     AND outcomes.provider IS NOT DISTINCT FROM place.provider AND accepted_at >= place.since
   WHERE ${OF_ACCEPTED} AND ${IS_RETURNED}
   GROUP BY n`;

const DAY_OF_SINCE = `($2::timestamptz AT TIME ZONE 'UTC')::date`;

export const DOMAINS = `
  SELECT asked.host, found.names
    FROM unnest($3::text[], $4::bytea[]) AS asked (host, id)
    CROSS JOIN LATERAL (
      SELECT array_agg(encode(name, 'hex')) AS names
        FROM (SELECT DISTINCT name FROM outcome_accepted
               WHERE team_id = $1 AND host = asked.id AND day >= ${DAY_OF_SINCE} LIMIT $5) AS distinct_names) AS found
   WHERE found.names IS NOT NULL`;

export const ACCEPTED = `
  SELECT asked.n::integer, sum(addresses)::integer AS accepted, min(since) AS since
    FROM unnest($3::bytea[], $4::bytea[]) WITH ORDINALITY AS asked (host, name, n)
    JOIN outcome_accepted AS known
      ON known.team_id = $1 AND known.host = asked.host AND known.day >= ${DAY_OF_SINCE}
     AND (asked.name IS NULL OR known.name = asked.name)
   GROUP BY asked.n`;

export const SAVE = `
  UPDATE outcome_statistics SET statistics = $2, learned_at = $3 WHERE team_id = $1`;
export const SAVE_RETURNING = `
  INSERT INTO outcome_hosts (host, team_id)
  SELECT host, $1 FROM unnest($2::text[]) AS host
   WHERE EXISTS (SELECT FROM outcome_statistics WHERE team_id = $1)
   ORDER BY 1 ON CONFLICT DO NOTHING`;
