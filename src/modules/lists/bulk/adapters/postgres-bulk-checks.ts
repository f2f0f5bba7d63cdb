import { REASONS } from '../../../../kernel/verdict.js';
import {
  isNumberRecord,
  isObject,
  isTextArray,
  type Counter,
  type JsonShape,
  type Reference,
  type RowCheck,
} from '../../../../platform/database/checks/data-checks.js';
import { fromStored } from './stored-verdict.js';

const OPEN = "c.state IN ('held', 'queued', 'running')";
/** Rows of the others are still coming in, or are being deleted. */
const WHOLE = "j.state IN ('held', 'queued', 'running', 'completed', 'canceled')";

/** Of each list: its rows, and those whose person was erased, which keep their key. */
const COUNTED = `
  SELECT list, count(*) AS total, count(*) FILTER (WHERE address_key IS NULL) AS empty,
         count(DISTINCT address_key) AS addresses,
         count(DISTINCT address_key) FILTER (WHERE email = '') AS erased
    FROM bulk_rows GROUP BY list`;

/** Of each list: addresses with a result, and their rows. */
const RESULTS = `
  SELECT r.list, count(*) AS rows, count(DISTINCT r.address_key) AS addresses
    FROM bulk_rows r JOIN bulk_results USING (address_key) GROUP BY r.list`;

export const BULK_CHECKS: readonly RowCheck[] = [
  {
    table: 'bulk_jobs',
    problem: 'have other totals than rows',
    query: `SELECT j.id FROM bulk_jobs j LEFT JOIN (${COUNTED}) r USING (list)
             WHERE ${WHOLE} AND (j.total, j.empty, j.addresses)
                   <> (coalesce(r.total, 0), coalesce(r.empty, 0), coalesce(r.addresses, 0))`,
  },
  {
    table: 'bulk_jobs',
    problem: 'have another number of results than they count',
    query: `SELECT j.id FROM bulk_jobs j LEFT JOIN (${RESULTS}) s USING (list) LEFT JOIN (${COUNTED}) r USING (list)
             WHERE ${WHOLE} AND j.verified NOT BETWEEN coalesce(s.addresses, 0) AND coalesce(s.addresses, 0) + coalesce(r.erased, 0)`,
  },
  {
    table: 'bulk_jobs',
    problem: 'have reasons whose sum is not the number of verified rows',
    query: `SELECT j.id FROM bulk_jobs j
             WHERE ${WHOLE} AND jsonb_typeof(j.by_reason) = 'object' AND j.processed - j.empty <>
                   (SELECT coalesce(sum(rows::numeric), 0) FROM jsonb_each_text(j.by_reason) AS reason (name, rows))`,
  },
  {
    table: 'bulk_row_reasons',
    problem: 'are not the reasons of the results: these lists',
    query: `SELECT j.id FROM bulk_jobs j LEFT JOIN (${RESULTS}) s USING (list)
              LEFT JOIN (SELECT list, count(*) AS rows FROM bulk_row_reasons GROUP BY 1) i USING (list)
             WHERE ${WHOLE} AND coalesce(i.rows, 0) <> coalesce(s.rows, 0)`,
  },
  {
    table: 'bulk_rows',
    problem: 'have a key of another list',
    query: `SELECT list || ' ' || idx AS id FROM bulk_rows
             WHERE substring(address_key FROM 1 FOR 8) <> int8send(list) OR octet_length(address_key) <> 44`,
  },
];

export const BULK_REFERENCES: readonly Reference[] = [
  { from: 'bulk_jobs.team_id', to: 'teams.id', only: "c.state <> 'erasing'" },
  { from: 'bulk_rows.list', to: 'bulk_jobs.list' },
  { from: 'bulk_row_reasons.list', to: 'bulk_jobs.list' },
  { from: 'bulk_chunks.list', to: 'bulk_jobs.list' },
];

export const BULK_COUNTERS: readonly Counter[] = [
  { counter: 'bulk_jobs.chunks_left', only: OPEN, rows: 'bulk_chunks', by: 'list', counted: 'true' },
  {
    counter: 'bulk_jobs.deferred_left',
    only: OPEN,
    rows: 'rechecks',
    by: 'list',
    counted: 'list IS NOT NULL AND due_at IS NOT NULL',
  },
];

export const BULK_SHAPES: readonly JsonShape[] = [
  { column: 'bulk_jobs.by_reason', isValid: isNumberRecord },
  { column: 'bulk_jobs.bounces', isValid: isNumberRecord },
  { column: 'bulk_jobs.columns', isValid: isTextArray },
  { column: 'bulk_jobs.charge', isValid: (charge) => isObject(charge) && typeof charge.day === 'string' },
  { column: 'bulk_results.verdict', isValid: isVerdict },
];

function isVerdict(stored: unknown): boolean {
  if (!isObject(stored) || typeof stored.email !== 'string') return false;
  try {
    const { reason, verifiedAt } = fromStored(stored);
    return (REASONS as readonly string[]).includes(reason) && !Number.isNaN(verifiedAt.getTime());
  } catch {
    return false;
  }
}
