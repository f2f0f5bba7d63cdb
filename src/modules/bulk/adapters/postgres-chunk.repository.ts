import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { TeamId } from '../../../kernel/principal.js';
import { copyRows } from '../../../platform/database/copy-rows.js';
import { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import { purge } from '../../../platform/database/purge.js';
import { LruCache } from '../../../platform/memory/lru-cache.js';
import type { ChunkRange } from '../domain/hash-range.js';
import type { LeasedChunk } from '../domain/chunk.js';
import { ChunkRepository } from '../domain/chunk.repository.js';
import { BulkTeamRowSchema } from './postgres-work.schema.js';

/**
 * A lease that is not renewed expires. The time comes from the clock of the database, so that all
 * processes agree.
 */
const LEASED_UNTIL = `now() + interval '60 seconds'`;
const FREE = 'leased_until <= now()';
/** Jobs that are tried in order, because another worker can claim the last chunk of a job in between. */
const CANDIDATES = 10;
/** Chunks that one sweep enqueues jobs for. */
const ENQUEUED_AT_ONCE = 64;

/** Lists whose position a process stores. */
const MAX_POSITIONS = 1_000;

/**
 * Jobs with free chunks in the order of their teams: the fewest leased chunks, then the least recently
 * served. Leased chunks are few, so they can be counted; free chunks are not counted.
 */
const NEXT_LISTS = `
  WITH held AS (
    SELECT j.team_id, count(*) AS chunks FROM bulk_chunks c JOIN bulk_jobs j USING (list)
     WHERE c.lease IS NOT NULL AND NOT ${FREE} GROUP BY j.team_id
  )
  SELECT j.list FROM bulk_jobs j
    LEFT JOIN held USING (team_id) LEFT JOIN bulk_teams t USING (team_id)
   WHERE j.state IN ('queued', 'running') AND j.chunks_left > 0
     AND EXISTS (SELECT FROM bulk_chunks c WHERE c.list = j.list AND c.${FREE})
   ORDER BY coalesce(held.chunks, 0), t.served_at NULLS FIRST, j.list LIMIT ${CANDIDATES}`;

/**
 * The addresses of one chunk occupy the connections that a mail server allows; the second chunk replaces it
 * when it ends. More of them would only wait, while no chunk of another domain is verified.
 */
const CHUNKS_PER_DOMAIN = 2;

const FREE_CHUNK = (condition: string) => `
  SELECT no FROM bulk_chunks WHERE list = $1 AND ${FREE} AND ${condition}
   ORDER BY no LIMIT 1 FOR UPDATE SKIP LOCKED`;

/** The next chunk of a large domain that was begun and has fewer leased chunks than it may have. */
const CONTINUED = `
  SELECT c.no FROM bulk_chunks c JOIN leased USING (domain)
   WHERE c.list = $1 AND c.${FREE} AND leased.chunks < ${CHUNKS_PER_DOMAIN}
   ORDER BY c.no < leased.last, c.no LIMIT 1 FOR UPDATE OF c SKIP LOCKED`;

const FROM_START = 'no >= (SELECT no FROM start)';
const OTHER_DOMAIN = '(domain IS NULL OR domain NOT IN (SELECT domain FROM leased))';

/**
 * A chunk of a large domain that was begun, then one of another domain, then any: from a position, else
 * from the start of the list. $3 is the position; without one, a process starts at a random chunk, so
 * that several processes work on different domains.
 */
const CLAIM = `
  WITH start AS (
    SELECT coalesce($3::integer, floor(random() * max(no))::integer) AS no FROM bulk_chunks WHERE list = $1
  ), leased AS (
    SELECT domain, max(no) AS last, count(*) AS chunks FROM bulk_chunks
     WHERE list = $1 AND lease IS NOT NULL AND NOT ${FREE} AND domain IS NOT NULL GROUP BY domain
  ), claimed AS (
    UPDATE bulk_chunks SET attempts = attempts + 1, lease = $2, leased_until = ${LEASED_UNTIL}
     WHERE list = $1 AND no = coalesce(
       (${CONTINUED}),
       (${FREE_CHUNK(`${FROM_START} AND ${OTHER_DOMAIN}`)}), (${FREE_CHUNK(OTHER_DOMAIN)}),
       (${FREE_CHUNK(FROM_START)}), (${FREE_CHUNK('true')}))
    RETURNING list, no, hash_from AS "from", hash_to AS "to", attempts, lease
  ), served AS (
    INSERT INTO bulk_teams (team_id, served_at)
    SELECT team_id, clock_timestamp() FROM claimed JOIN bulk_jobs USING (list)
    ON CONFLICT (team_id) DO UPDATE SET served_at = excluded.served_at
  ) SELECT claimed.*, j.team_id AS "teamId", j.mode, j.refresh, j.state = 'queued' AS "isQueued"
      FROM claimed JOIN bulk_jobs j USING (list)`;

/** SQL, because leases are claimed with `SKIP LOCKED` and end by the database's clock. */
@Injectable()
export class PostgresChunkRepository extends ChunkRepository {
  /** By list: the number after the chunk that this process claimed last. */
  private readonly positions = new LruCache<string, number>(MAX_POSITIONS);

  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  addChunks(list: string, ranges: readonly ChunkRange[]): Promise<void> {
    const numbered = ranges.map((range, no) => ({ no, ...range }));
    const into = 'bulk_chunks (list, no, hash_from, hash_to, domain)';
    return copyRows(this.work.manager, into, numbered, ({ no, from, to, domain }) => [
      list,
      no,
      from,
      to,
      domain,
    ]);
  }

  async claimChunk(): Promise<LeasedChunk | null> {
    for (const { list } of await this.query<{ list: string }>(NEXT_LISTS)) {
      const position = this.positions.get(list) ?? null;
      const [claimed] = await this.query<LeasedChunk>(CLAIM, [list, randomUUID(), position]);
      if (claimed === undefined) continue;
      this.positions.set(list, claimed.no + 1);
      return claimed;
    }
    return null;
  }

  async renewLease({ list, no, lease }: LeasedChunk): Promise<void> {
    await this.query(
      `UPDATE bulk_chunks SET leased_until = ${LEASED_UNTIL} WHERE list = $1 AND no = $2 AND lease = $3`,
      [list, no, lease],
    );
  }

  async releaseLease({ list, no, lease }: LeasedChunk, pauseSeconds: number, counts: boolean): Promise<void> {
    await this.query(
      `UPDATE bulk_chunks SET lease = NULL, leased_until = now() + $4 * interval '1 second',
              attempts = attempts - $5::integer
        WHERE list = $1 AND no = $2 AND lease = $3`,
      [list, no, lease, pauseSeconds, counts ? 0 : 1],
    );
  }

  finishChunk({ list, no, lease }: LeasedChunk): Promise<boolean> {
    return this.some(
      // Asynchronous commit: after a crash of the database, the chunk still exists and has no results.
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
        WHERE j.state IN ('queued', 'running') AND c.${FREE} ORDER BY c.list, c.no LIMIT ${ENQUEUED_AT_ONCE}`,
    );
  }

  async removeTeam(teamId: TeamId): Promise<void> {
    await this.work.manager.delete(BulkTeamRowSchema, { teamId });
  }

  async deleteByList(list: string): Promise<void> {
    const chunks = { table: 'bulk_chunks', where: 'list = $1', orderBy: 'list, no', values: [list] };
    await purge(this.work, chunks, { maxRows: Infinity });
  }

  private async some(statement: string, values: unknown[]): Promise<boolean> {
    return (await this.query(statement, values)).length > 0;
  }

  private query<Row>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return this.work.manager.query<Row[]>(statement, values);
  }
}
