import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ListId } from '../../../../kernel/ids.js';
import type { TeamId } from '../../../../kernel/principal.js';
import {
  claimFirst,
  FREE,
  HELD,
  leasedFor,
  nextFree,
} from '../../../../platform/database/transactions/claims.js';
import { copyRows } from '../../../../platform/database/transactions/copy-rows.js';
import { PostgresTeamWork } from '../../../../platform/database/transactions/postgres-team-work.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { purge } from '../../../../platform/database/transactions/purge.js';
import type { ChunkKeys } from '../domain/hash-range.js';
import { ChunkRepository, type ChunkResults, type LeasedChunk } from '../domain/chunk.repository.js';

const LEASE_SECONDS = 60;
const CANDIDATES = 10;

/** Lists whose last claims a process stores. */
const MAX_LISTS = 1_000;
/** Providers and large domains of a list that a process has begun. */
const MAX_SERVERS = 16;

const HAS_FREE_CHUNK = `j.state IN ('queued', 'running') AND j.chunks_left > 0
     AND EXISTS (SELECT FROM bulk_chunks c WHERE c.list = j.list AND c.${FREE})`;

const NEXT_LISTS = `
  SELECT j.list AS "listId" FROM bulk_jobs j WHERE j.team_id = $1 AND ${HAS_FREE_CHUNK} ORDER BY j.list LIMIT ${CANDIDATES}`;

const ROWS = {
  table: 'bulk_chunks',
  key: ['list', 'no'],
  leaseSeconds: LEASE_SECONDS,
  attempts: 'attempts',
  waitingTeams: `SELECT j.team_id FROM bulk_jobs j WHERE ${HAS_FREE_CHUNK}`,
  claims: null,
};

/**
 * The addresses of one chunk occupy the connections that a mail server allows; the second chunk replaces it
 * when it ends. More of them would only wait.
 */
const CHUNKS_PER_SERVERS = 2;

const FREE_CHUNK = (condition: string) => nextFree('bulk_chunks', 'no', `list = $1 AND ${condition}`, 'no');

const FROM_START = 'no >= (SELECT no FROM start)';
const NO_SERVERS_BUSY = '(domain IS NULL OR domain NOT IN (SELECT domain FROM leased))';
/** Of a provider or large domain that the process has begun ($4). */
const BEGUN = `domain = ANY($4) AND domain NOT IN (SELECT domain FROM leased WHERE chunks >= ${CHUNKS_PER_SERVERS})`;

/**
 * A chunk of servers that no process has begun: from a position, else from the start of the list. Then one of
 * servers whose connections the process has. $3 is the position; without one, a process starts at a random
 * chunk, so that several processes work on different domains.
 */
const CLAIM = `
  WITH start AS (
    SELECT coalesce($3::integer, floor(random() * max(no))::integer) AS no FROM bulk_chunks WHERE list = $1
  ), leased AS (
    SELECT domain, count(*) AS chunks FROM bulk_chunks
     WHERE list = $1 AND ${HELD} AND domain IS NOT NULL GROUP BY domain
  ), claimed AS (
    UPDATE bulk_chunks SET attempts = attempts + 1, lease = $2, leased_until = ${leasedFor(LEASE_SECONDS)}
     WHERE list = $1 AND no = coalesce(
       (${FREE_CHUNK(`${FROM_START} AND ${NO_SERVERS_BUSY}`)}), (${FREE_CHUNK(NO_SERVERS_BUSY)}),
       (${FREE_CHUNK(BEGUN)}))
    RETURNING list AS "listId", no, hash_from AS "from", hash_to AS "to", domains, domain AS servers, attempts, recorded, lease
  ) SELECT claimed.*, j.team_id AS "teamId", j.mode, j.refresh, j.max_age AS "maxAge", j.unique_by AS "uniqueBy", j.traceparent, j.state = 'queued' AS "isQueued"
      FROM claimed JOIN bulk_jobs j ON j.list = "listId"`;

/**
 * Deletes complete chunks and counts the results of others, which show that a chunk does not fail as a whole.
 * Asynchronous commit: after a crash of the database, the chunks still exist and have no such results.
 */
const ADVANCE = `
  WITH parts AS (
    SELECT no, lease, sum(recorded)::integer AS recorded, bool_or(is_last) AS is_last
      FROM unnest($2::integer[], $3::uuid[], $4::integer[], $5::boolean[]) AS part (no, lease, recorded, is_last)
     GROUP BY no, lease
  ), deleted AS (
    DELETE FROM bulk_chunks c USING parts p
     WHERE c.list = $1 AND c.no = p.no AND c.lease = p.lease AND p.is_last RETURNING c.lease
  ), counted AS (
    UPDATE bulk_chunks c SET recorded = c.recorded + p.recorded, attempts = 1 FROM parts p
     WHERE c.list = $1 AND c.no = p.no AND c.lease = p.lease AND NOT p.is_last RETURNING c.lease
  ) SELECT lease, set_config('synchronous_commit', 'off', true)
      FROM (SELECT lease FROM deleted UNION ALL SELECT lease FROM counted) held`;

/** What a process has claimed of a list. */
interface Claims {
  /** The number after the latest chunk. */
  next: number | null;
  /** Of its chunks, the latest first. */
  servers: readonly Buffer[];
}

function latest(servers: Buffer | null, before: readonly Buffer[]): readonly Buffer[] {
  if (servers === null) return before;
  return [servers, ...before.filter((other) => !other.equals(servers))].slice(0, MAX_SERVERS);
}

/** SQL, because leases are claimed with `SKIP LOCKED` and end by the database's clock. */
@Injectable()
export class PostgresChunkRepository extends PostgresTeamWork<LeasedChunk> implements ChunkRepository {
  private readonly claims = new LRUCache<string, Claims>({ max: MAX_LISTS });

  constructor(work: PostgresUnitOfWork) {
    super(work, ROWS);
  }

  add(listId: ListId, chunks: readonly ChunkKeys[]): Promise<void> {
    const numbered = chunks.map((chunk, no) => ({ no, ...chunk }));
    const into = 'bulk_chunks (list, no, hash_from, hash_to, domains, domain)';
    return copyRows(this.work.manager, into, numbered, ({ no, from, to, domains, servers }) => [
      listId,
      no,
      from,
      to,
      domains,
      servers,
    ]);
  }

  listKeys(listId: ListId, from: number, limit: number): Promise<ChunkKeys[]> {
    return this.query<ChunkKeys>(
      `SELECT hash_from AS "from", hash_to AS "to", domains, domain AS servers FROM bulk_chunks
        WHERE list = $1 AND no >= $2 ORDER BY no LIMIT $3`,
      [listId, from, limit],
    );
  }

  async advance(listId: ListId, parts: readonly ChunkResults[]): Promise<ReadonlySet<string>> {
    const held = await this.query<{ lease: string }>(ADVANCE, [
      listId,
      parts.map(({ chunk }) => chunk.no),
      parts.map(({ chunk }) => chunk.lease),
      parts.map(({ results }) => results.length),
      parts.map(({ isLast }) => isLast),
    ]);
    return new Set(held.map(({ lease }) => lease));
  }

  async deleteByList(listId: ListId): Promise<void> {
    const chunks = { table: 'bulk_chunks', where: 'list = $1', orderBy: 'list, no', values: [listId] };
    await purge(this.work, chunks, { maxRows: Infinity });
  }

  protected override keyOf({ listId, no }: LeasedChunk): readonly unknown[] {
    return [listId, no];
  }

  protected override async claimNext(team: TeamId): Promise<LeasedChunk | null> {
    const lists = await this.query<{ listId: ListId }>(NEXT_LISTS, [team]);
    return claimFirst(lists, ({ listId }) => this.claimOf(listId));
  }

  private async claimOf(listId: ListId): Promise<LeasedChunk | null> {
    const { next, servers } = this.claims.get(listId) ?? { next: null, servers: [] };
    const [claimed] = await this.query<LeasedChunk>(CLAIM, [listId, randomUUID(), next, servers]);
    if (claimed === undefined) return null;
    this.claims.set(listId, { next: claimed.no + 1, servers: latest(claimed.servers, servers) });
    return claimed;
  }
}
