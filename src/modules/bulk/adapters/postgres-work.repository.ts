import { randomUUID } from 'node:crypto';
import { copyRows } from '../../../platform/database/copy-rows.js';
import type { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import type { HashRange } from '../domain/hash-range.js';
import type { AddressResult, Held, HeldChunk, HeldParked, ParkedAddress } from '../domain/part.js';
import { WorkRepository } from '../domain/work.repository.js';
import { fromStored, type StoredVerdict } from './stored-verdict.js';

/** Who has not been heard of for so long is dead; the database's clock counts, for it is everybody's. */
const LEASED_UNTIL = `now() + interval '60 seconds'`;
const FREE = 'leased_until <= now()';
/** Jobs that are looked at for a chunk; others may just have taken the first one's last. */
const CANDIDATES = 10;
/** Addresses that are asked again at one time. */
const PARKED_AT_ONCE = 100;
/** Chunks that one sweep rings for. */
const RUNG_AT_ONCE = 64;

/** Work is held by few, so counting what is held is cheap; what waits is never counted. */
const WHOSE_TURN = `
  WITH held AS (
    SELECT j.team_id, count(*) AS chunks FROM bulk_chunks c JOIN bulk_jobs j USING (list)
     WHERE c.lease IS NOT NULL AND NOT ${FREE} GROUP BY j.team_id
  )
  SELECT j.list FROM bulk_jobs j
    LEFT JOIN held USING (team_id) LEFT JOIN bulk_turns t USING (team_id)
   WHERE j.state IN ('queued', 'running') AND j.chunks_left > 0
     AND EXISTS (SELECT FROM bulk_chunks c WHERE c.list = j.list AND c.${FREE})
   ORDER BY coalesce(held.chunks, 0), t.served_at NULLS FIRST, j.list LIMIT ${CANDIDATES}`;

const CLAIM = `
  WITH claimed AS (
    UPDATE bulk_chunks SET attempts = attempts + 1, lease = $2, leased_until = ${LEASED_UNTIL}
     WHERE (list, no) = (SELECT list, no FROM bulk_chunks WHERE list = $1 AND ${FREE}
                          ORDER BY no LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING list, no, hash_from AS "from", hash_to AS "to", attempts, lease
  ), served AS (
    INSERT INTO bulk_turns (team_id, served_at)
    SELECT team_id, clock_timestamp() FROM claimed JOIN bulk_jobs USING (list)
    ON CONFLICT (team_id) DO UPDATE SET served_at = excluded.served_at
  ) SELECT claimed.*, j.mode FROM claimed JOIN bulk_jobs j USING (list)`;

const CLAIM_PARKED = `
  WITH first AS (
    SELECT list FROM bulk_parked WHERE due_at <= $2 AND ${FREE} ORDER BY due_at LIMIT 1
  ), picked AS (
    SELECT list, hash FROM bulk_parked WHERE list = (SELECT list FROM first) AND due_at <= $2 AND ${FREE}
     ORDER BY hash LIMIT ${PARKED_AT_ONCE} FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE bulk_parked p SET lease = $1, leased_until = ${LEASED_UNTIL}
      FROM picked WHERE (p.list, p.hash) = (picked.list, picked.hash) RETURNING p.*
  ) SELECT list, hash, email, rows, verdict, asked, parked_at AS "parkedAt" FROM claimed`;

interface StoredParked extends Omit<ParkedAddress, 'verdict'> {
  list: string;
  verdict: StoredVerdict;
}

export class PostgresWorkRepository extends WorkRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  addChunks(list: string, ranges: readonly HashRange[]): Promise<void> {
    const numbered = ranges.map((range, no) => ({ no, ...range }));
    const into = 'bulk_chunks (list, no, hash_from, hash_to)';
    return copyRows(this.work.manager, into, numbered, ({ no, from, to }) => [list, no, from, to]);
  }

  async claimChunk(): Promise<HeldChunk | null> {
    for (const { list } of await this.query<{ list: string }>(WHOSE_TURN)) {
      const [claimed] = await this.query<HeldChunk>(CLAIM, [list, randomUUID()]);
      if (claimed !== undefined) return claimed;
    }
    return null;
  }

  async keepChunk({ list, no, lease }: HeldChunk): Promise<void> {
    await this.query(
      `UPDATE bulk_chunks SET leased_until = ${LEASED_UNTIL} WHERE list = $1 AND no = $2 AND lease = $3`,
      [list, no, lease],
    );
  }

  async giveBackChunk({ list, no, lease }: HeldChunk, pauseSeconds: number, counts: boolean): Promise<void> {
    await this.query(
      `UPDATE bulk_chunks SET lease = NULL, leased_until = now() + $4 * interval '1 second',
              attempts = attempts - $5::integer
        WHERE list = $1 AND no = $2 AND lease = $3`,
      [list, no, lease, pauseSeconds, counts ? 0 : 1],
    );
  }

  finishChunk({ list, no, lease }: HeldChunk): Promise<boolean> {
    return this.some(
      // Not waited for on disk: should the database crash, the chunk is there again, and nothing came of it.
      `WITH done AS (
         DELETE FROM bulk_chunks WHERE list = $1 AND no = $2 AND lease = $3
         RETURNING set_config('synchronous_commit', 'off', true)
       ) SELECT 1 FROM done`,
      [list, no, lease],
    );
  }

  waitingChunks(): Promise<{ list: string; no: number }[]> {
    return this.query(
      `SELECT c.list, c.no FROM bulk_chunks c JOIN bulk_jobs j USING (list)
        WHERE j.state IN ('queued', 'running') AND c.${FREE} ORDER BY c.list, c.no LIMIT ${RUNG_AT_ONCE}`,
    );
  }

  park(list: string, results: readonly AddressResult[], now: Date, due: Date): Promise<void> {
    const into = 'bulk_parked (list, hash, email, rows, verdict, parked_at, due_at)';
    const [parkedAt, dueAt] = [now.toISOString(), due.toISOString()];
    return copyRows(this.work.manager, into, results, ({ hash, email, rows, verdict }) => [
      list,
      hash,
      email,
      rows,
      JSON.stringify(verdict),
      parkedAt,
      dueAt,
    ]);
  }

  async claimParked(now: Date): Promise<HeldParked | null> {
    const lease = randomUUID();
    const claimed = await this.query<StoredParked>(CLAIM_PARKED, [lease, now]);
    const [first] = claimed;
    return first === undefined ? null : { list: first.list, lease, addresses: claimed.map(toParked) };
  }

  async keepParked({ list, lease }: Held): Promise<void> {
    await this.query(`UPDATE bulk_parked SET leased_until = ${LEASED_UNTIL} WHERE list = $1 AND lease = $2`, [
      list,
      lease,
    ]);
  }

  async giveBackParked({ list, lease }: Held): Promise<void> {
    await this.query(
      'UPDATE bulk_parked SET lease = NULL, leased_until = now() WHERE list = $1 AND lease = $2',
      [list, lease],
    );
  }

  postpone({ list, lease }: Held, { hash, verdict, asked }: ParkedAddress, due: Date): Promise<boolean> {
    return this.some(
      `WITH postponed AS (
         UPDATE bulk_parked SET lease = NULL, leased_until = now(), due_at = $4, asked = $5, verdict = $6
          WHERE list = $1 AND hash = $2 AND lease = $3 RETURNING 1
       ) SELECT 1 FROM postponed`,
      [list, hash, lease, due, asked, JSON.stringify(verdict)],
    );
  }

  async takeParked({ list, lease }: Held, hashes: readonly Buffer[]): Promise<Buffer[]> {
    const taken = await this.query<{ hash: Buffer }>(
      `WITH taken AS (
         DELETE FROM bulk_parked WHERE list = $1 AND lease = $2 AND hash = ANY($3) RETURNING hash
       ) SELECT hash FROM taken`,
      [list, lease, hashes],
    );
    return taken.map(({ hash }) => hash);
  }

  async takeAnyParked(list: string, limit: number): Promise<ParkedAddress[]> {
    const taken = await this.query<StoredParked>(
      `WITH taken AS (
         DELETE FROM bulk_parked WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM bulk_parked WHERE list = $1 LIMIT $2 FOR UPDATE))
         RETURNING *
       ) SELECT list, hash, email, rows, verdict, asked, parked_at AS "parkedAt" FROM taken`,
      [list, limit],
    );
    return taken.map(toParked);
  }

  hasParked(now: Date): Promise<boolean> {
    return this.some(`SELECT 1 FROM bulk_parked WHERE due_at <= $1 AND ${FREE} LIMIT 1`, [now]);
  }

  async drop(list: string): Promise<void> {
    for (const table of ['bulk_chunks', 'bulk_parked'])
      await this.query(`DELETE FROM ${table} WHERE list = $1`, [list]);
  }

  private async some(statement: string, values: unknown[]): Promise<boolean> {
    return (await this.query(statement, values)).length > 0;
  }

  private query<Row>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return this.work.manager.query<Row[]>(statement, values);
  }
}

function toParked({ hash, email, rows, verdict, asked, parkedAt }: StoredParked): ParkedAddress {
  return { hash, email, rows, verdict: fromStored(verdict), asked, parkedAt };
}
