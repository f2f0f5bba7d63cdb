import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { PreviewCounts, type StoredCounts } from '../../../engine/list-preview.js';
import type { ListId } from '../../../kernel/ids.js';
import type { TeamId } from '../../../kernel/principal.js';
import { FREE, HELD, leasedFor, nextFree } from '../../../platform/database/transactions/claims.js';
import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import { PreviewRepository, type LeasedPreview } from '../domain/preview.repository.js';

/** A lease that is not renewed expires. */
const LEASED_UNTIL = leasedFor(60);
const LISTS_AT_ONCE = 1_000;

const CLAIM = `
  UPDATE list_previews SET lease = $2, leased_until = ${LEASED_UNTIL}, attempts = attempts + 1
   WHERE list = (${nextFree('list_previews', 'list', 'team_id = $1 AND NOT done', 'list')})
     AND NOT EXISTS (SELECT FROM list_previews WHERE team_id = $1 AND NOT done AND ${HELD})
  RETURNING list AS "listId", lease, team_id AS "teamId", next_chunk AS "nextChunk", counts, attempts`;

/** SQL, because leases are claimed with `SKIP LOCKED` and end by the database's clock. */
@Injectable()
export class PostgresPreviewRepository extends PreviewRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async add(listId: ListId, teamId: TeamId, heldAt: Date, counts: PreviewCounts): Promise<void> {
    await this.work.manager.query(
      'INSERT INTO list_previews (list, team_id, held_at, counts) VALUES ($1, $2, $3, $4)',
      [listId, teamId, heldAt, JSON.stringify(counts)],
    );
  }

  async claim(team: TeamId): Promise<LeasedPreview | null> {
    type Claimed = Omit<LeasedPreview, 'counts'> & { counts: StoredCounts };
    const [[claimed]] = await this.work.manager.query<[Claimed[], number]>(CLAIM, [team, randomUUID()]);
    return claimed === undefined ? null : { ...claimed, counts: PreviewCounts.from(claimed.counts) };
  }

  async renew(preview: LeasedPreview): Promise<void> {
    await this.update(preview, `leased_until = ${LEASED_UNTIL}`);
  }

  save(preview: LeasedPreview): Promise<boolean> {
    const { nextChunk, counts } = preview;
    return this.update(preview, 'next_chunk = $3, counts = $4, attempts = 1', [
      nextChunk,
      JSON.stringify(counts),
    ]);
  }

  finish(preview: LeasedPreview): Promise<boolean> {
    return this.update(preview, `done = true, lease = NULL, counts = '{}'`);
  }

  async release(preview: LeasedPreview, pauseSeconds: number): Promise<void> {
    await this.update(preview, `lease = NULL, leased_until = now() + $3 * interval '1 second'`, [
      pauseSeconds,
    ]);
  }

  async delete(listId: ListId): Promise<void> {
    await this.work.manager.query('DELETE FROM list_previews WHERE list = $1', [listId]);
  }

  async listWaitingTeams(): Promise<TeamId[]> {
    const teams = await this.work.manager.query<{ teamId: TeamId }[]>(
      `SELECT team_id AS "teamId" FROM list_previews WHERE NOT done AND ${FREE}
        GROUP BY team_id ORDER BY random() LIMIT ${LISTS_AT_ONCE}`,
    );
    return teams.map(({ teamId }) => teamId);
  }

  async listHeldBefore(before: Date): Promise<ListId[]> {
    const lists = await this.work.manager.query<{ listId: ListId }[]>(
      `SELECT list AS "listId" FROM list_previews WHERE held_at <= $1 ORDER BY held_at LIMIT ${LISTS_AT_ONCE}`,
      [before],
    );
    return lists.map(({ listId }) => listId);
  }

  private async update(
    { listId, lease }: LeasedPreview,
    change: string,
    values: readonly unknown[] = [],
  ): Promise<boolean> {
    const [, count] = await this.work.manager.query<[unknown, number]>(
      `UPDATE list_previews SET ${change} WHERE list = $1 AND lease = $2`,
      [listId, lease, ...values],
    );
    return count > 0;
  }
}
