import { LARGEST_GROUPS } from '../domain/breakdown.js';
import { DOMAIN_BYTES } from '../domain/hash-range.js';

/** The addresses of some rows, each with its first row. */
const addressesOf = (rows: string) => `
  SELECT substring(address_key FROM 9) AS "addressKey", idx AS "firstRow", rows, email FROM (
    SELECT address_key, idx, email, count(*) OVER (PARTITION BY address_key)::integer AS rows,
           row_number() OVER (PARTITION BY address_key ORDER BY idx) AS nth
      FROM ${rows}
  ) numbered WHERE nth = 1 ORDER BY idx`;

/**
 * The planner has no statistics for a new list and estimates one row. The statement therefore has only
 * one plan that is worth considering: no join, and a condition that only one index supports.
 */
export const ADDRESSES = addressesOf('bulk_rows WHERE address_key >= $1 AND address_key < $2');

/** Of the domains $1; the range of a domain ends at $2. Only with `BY_INDEX`, as the number of rows cannot be estimated. */
export const ADDRESSES_OF_DOMAINS = addressesOf(`unnest($1::bytea[]) AS domain CROSS JOIN LATERAL (
        SELECT address_key, idx, email FROM bulk_rows
         WHERE address_key >= domain AND address_key < domain || $2::bytea OFFSET 0
      ) of_domain`);

/**
 * For the transaction: index scans only. Without statistics, the planner may prefer to read and sort all
 * matching rows, although an index returns the first ones in order. It may also expect so many rows that
 * it compiles the statement.
 */
export const BY_INDEX = `SELECT set_config('enable_seqscan', 'off', true),
  set_config('enable_bitmapscan', 'off', true), set_config('jit', 'off', true)`;

/** The positions in $1 of addresses that have a result. */
export const WITH_RESULT = `
  SELECT n::integer - 1 AS n FROM unnest($1::bytea[]) WITH ORDINALITY AS listed (address_key, n)
   WHERE EXISTS (SELECT FROM bulk_results r WHERE r.address_key = listed.address_key)`;

/** $3: more addresses than that are a group of their own. $4, $5: domains in hexadecimal and their providers. */
export const GROUPS = `
  WITH known AS (
    SELECT decode(digits, 'hex') AS domain, provider FROM unnest($4::text[], $5::text[]) AS known (digits, provider)
  ), domains AS (
    SELECT substring(address_key FROM 9 FOR ${DOMAIN_BYTES}) AS domain, count(*)::integer AS addresses
      FROM (
        SELECT address_key FROM bulk_rows WHERE address_key >= $1 AND address_key < $2 GROUP BY address_key
      ) listed GROUP BY 1
  ), placed AS (
    SELECT *, sum(addresses) OVER (PARTITION BY provider ORDER BY domain) - addresses AS before
      FROM domains LEFT JOIN known USING (domain)
  )
  SELECT provider, string_agg(domain, '' ORDER BY domain) AS domains, sum(addresses)::integer AS addresses
    FROM placed GROUP BY provider, div(before, $3), CASE WHEN addresses > $3 THEN domain END ORDER BY 2`;

/** Rows that one statement deletes. */
const DELETED_AT_ONCE = 5_000;

/** The columns of `bulk_rows` that a result needs. */
const ROW = 'idx, email, sent, ref, address_key';

/**
 * The rows with their verdicts, until they have $4 bytes; each has $5 beside its texts. `octet_length` does not
 * read texts that are stored outside the row. `found` counts those that were left out too.
 *
 * `OFFSET 0` prevents the planner from turning the lateral subquery into a join: results are looked up by index
 * for each row.
 */
const withVerdicts = (rows: string) => `
  SELECT r.idx AS index, r.email, r.sent, r.ref, s.verdict, s.first_row AS "firstRow", r.found
    FROM (
      SELECT *, count(*) OVER ()::integer AS found,
             sum($5::integer + octet_length(email) + coalesce(octet_length(sent), 0) + coalesce(octet_length(ref), 0))
               OVER (ORDER BY idx ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
        FROM (${rows}) page
    ) r LEFT JOIN LATERAL (
      SELECT verdict, first_row FROM bulk_results WHERE address_key = r.address_key OFFSET 0
    ) s ON true
   WHERE coalesce(r.before, 0) < $4::integer ORDER BY r.idx`;

/** Row numbers have no gaps, so a page is a range. */
export const RESULTS = withVerdicts(`
  SELECT ${ROW} FROM bulk_rows WHERE list = $1 AND idx > $2 AND idx <= $2::integer + $3::integer`);

/** $2: numbers of rows, $3: their keys. */
export const CHANGE_KEYS = `
  UPDATE bulk_rows r SET address_key = changed.address_key
    FROM unnest($2::integer[], $3::bytea[]) AS changed (idx, address_key) WHERE r.list = $1 AND r.idx = changed.idx`;

/** A condition of `r`: its address contains this text. */
export const containing = (parameter: string) => `r.email ILIKE ${parameter}`;

/**
 * A condition of `r`: no row before it has the same address. `OFFSET 0` keeps it a look-up for each row, which ends
 * at the first such row; a range, as the planner expects many rows for an equality.
 */
export const IS_FIRST = `NOT EXISTS (
  SELECT FROM bulk_rows earlier WHERE earlier.address_key >= r.address_key AND earlier.address_key <= r.address_key
     AND earlier.idx < r.idx OFFSET 0)`;

/** Reads rows in order until a page is found, up to the whole list. */
export const search = (conditions: readonly string[]) =>
  withVerdicts(`
  SELECT ${ROW} FROM bulk_rows r WHERE list = $1 AND idx > $2 AND ${conditions.join(' AND ')}
   ORDER BY idx LIMIT $3`);

/**
 * Reads at most one page of rows for each reason from the index, then takes the first page of all of them.
 *
 * @param found a lateral subquery that has a row if row `idx` is wanted.
 */
const byReason = (found = '') =>
  withVerdicts(`
  SELECT r.* FROM (
      SELECT found.idx FROM unnest($6::text[]) AS wanted (reason) CROSS JOIN LATERAL (
        SELECT indexed.idx FROM bulk_row_reasons indexed ${found}
         WHERE list = $1 AND reason = wanted.reason AND indexed.idx > $2 ORDER BY indexed.idx LIMIT $3
      ) found ORDER BY found.idx LIMIT $3
    ) page CROSS JOIN LATERAL (
      SELECT ${ROW} FROM bulk_rows WHERE list = $1 AND idx = page.idx OFFSET 0
    ) r`);

export const RESULTS_BY_REASON = byReason();

/** Reads the rows with these reasons in order until a page is found. */
export const searchByReason = (conditions: readonly string[]) =>
  byReason(`CROSS JOIN LATERAL (
  SELECT FROM bulk_rows r WHERE list = $1 AND idx = indexed.idx AND ${conditions.join(' AND ')} OFFSET 0
) matching`);

/** The rows that have a verdict, by domain and reason. Only with `BY_INDEX`, as the planner has no statistics. */
export const DOMAIN_ROWS = `
  WITH counted AS (
    SELECT CASE WHEN r.email LIKE '%@%' THEN lower(btrim(split_part(r.email, '@', -1))) ELSE '' END AS name,
           i.reason, count(*) AS rows
      FROM bulk_row_reasons i CROSS JOIN LATERAL (
        SELECT email FROM bulk_rows WHERE list = i.list AND idx = i.idx OFFSET 0
      ) r WHERE i.list = $1 GROUP BY 1, 2
  ), ranked AS (
    SELECT *, dense_rank() OVER (ORDER BY total DESC, name) AS place
      FROM (SELECT *, sum(rows) OVER (PARTITION BY name) AS total FROM counted) totals
  )
  SELECT CASE WHEN place <= ${LARGEST_GROUPS} THEN name END AS name, reason, sum(rows)::integer AS rows
    FROM ranked GROUP BY 1, 2`;

/** Of the rows $2 up to $3, those that have a verdict, by provider and reason. Only with `BY_INDEX`. */
export const PROVIDER_ROWS = `
  SELECT coalesce(s.verdict -> 'dns' ->> 'provider', '') AS name, s.reason, count(*)::integer AS rows
    FROM bulk_rows r CROSS JOIN LATERAL (
      SELECT reason, verdict FROM bulk_results WHERE address_key = r.address_key OFFSET 0
    ) s WHERE r.list = $1 AND r.idx >= $2 AND r.idx < $3 GROUP BY 1, 2`;

/** $3: whether addresses are returned, as their hashes are not those of their keys. */
export const DELETE_RESULTS = `
  WITH deleted AS (
    DELETE FROM bulk_results WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM bulk_results WHERE address_key >= $1 AND address_key < $2 LIMIT ${DELETED_AT_ONCE}))
    RETURNING address_key, probed, CASE WHEN $3 THEN verdict ->> 'email' END AS email
  ) SELECT substring(address_key FROM length(address_key) - 31) AS "addressHash", email, probed FROM deleted`;

/** @param table with a column `list`. */
export const deleteRows = (table: 'bulk_row_reasons' | 'bulk_rows') => `
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE list = $1 LIMIT ${DELETED_AT_ONCE}))`;

/**
 * The statements that delete the addresses $1; the rows stay, empty. The last one counts them. By their places, in whose
 * order PostgreSQL visits them, as the statements do that delete a list.
 */
export const DELETE_ADDRESSES = [
  `DELETE FROM bulk_row_reasons WHERE ctid = ANY (ARRAY(
     SELECT i.ctid FROM bulk_row_reasons i, bulk_rows r, bulk_results s
      WHERE (i.list, i.idx) = (r.list, r.idx) AND i.reason = s.reason
        AND s.address_key = r.address_key AND r.address_key = ANY ($1::bytea[])))`,
  `DELETE FROM bulk_results WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM bulk_results WHERE address_key = ANY ($1::bytea[])))`,
  `UPDATE bulk_rows SET email = '', sent = NULL, ref = NULL WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM bulk_rows WHERE address_key = ANY ($1::bytea[]) AND email <> ''))`,
];
