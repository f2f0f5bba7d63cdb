/** Rows that one statement erases. */
const ERASED_AT_ONCE = 5_000;

/**
 * `OFFSET 0` prevents the planner from turning the lateral subquery into a join: results are looked up
 * by index for each row. Row numbers have no gaps, so a page is a range.
 */
export const RESULTS = `
  SELECT r.idx AS index, r.email, r.sent, r.ref, s.verdict
    FROM bulk_rows r LEFT JOIN LATERAL (
      SELECT verdict FROM bulk_results WHERE address = r.address OFFSET 0
    ) s ON true
   WHERE r.list = $1 AND r.idx > $2 AND r.idx <= $2::integer + $3::integer
   ORDER BY r.idx`;

/** Reads at most one page of rows for each reason from the index, then takes the first page of all of them. */
export const RESULTS_BY_REASON = `
  SELECT page.idx AS index, r.email, r.sent, r.ref, s.verdict
    FROM (
      SELECT found.idx FROM unnest($4::text[]) AS wanted (reason) CROSS JOIN LATERAL (
        SELECT idx FROM bulk_row_reasons
         WHERE list = $1 AND reason = wanted.reason AND idx > $2 ORDER BY idx LIMIT $3
      ) found ORDER BY found.idx LIMIT $3
    ) page
    CROSS JOIN LATERAL (
      SELECT email, sent, ref, address FROM bulk_rows WHERE list = $1 AND idx = page.idx OFFSET 0
    ) r
    CROSS JOIN LATERAL (SELECT verdict FROM bulk_results WHERE address = r.address OFFSET 0) s
   ORDER BY page.idx`;

export const SCAN_BY_REASON = `
  SELECT r.idx AS index, r.email, r.sent, r.ref, s.verdict
    FROM bulk_rows r CROSS JOIN LATERAL (
      SELECT reason, verdict FROM bulk_results WHERE address = r.address OFFSET 0
    ) s
   WHERE r.list = $1 AND r.idx > $2 AND r.idx < $5 AND s.reason = ANY($4)
   ORDER BY r.idx LIMIT $3`;

export const ERASE_RESULTS = `
  WITH erased AS (
    DELETE FROM bulk_results WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM bulk_results WHERE address >= $1 AND address < $2 LIMIT ${ERASED_AT_ONCE}))
    RETURNING address, asked
  ) SELECT substring(address FROM length(address) - 31) AS hash, asked FROM erased`;

export const ERASE_REASONS = `
  WITH erased AS (
    DELETE FROM bulk_row_reasons WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM bulk_row_reasons WHERE list = $1 LIMIT ${ERASED_AT_ONCE}))
    RETURNING 1
  ) SELECT count(*)::integer AS count FROM erased`;

export const ERASE_ROWS = `
  WITH erased AS (
    DELETE FROM bulk_rows WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM bulk_rows WHERE list = $1 LIMIT ${ERASED_AT_ONCE}))
    RETURNING 1
  ) SELECT count(*)::integer AS count FROM erased`;
