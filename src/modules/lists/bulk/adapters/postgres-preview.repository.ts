import { Injectable } from '@nestjs/common';
import { PreviewCounts, type StoredCounts } from '../../../../engine/list-preview.js';
import type { ListId } from '../../../../kernel/ids.js';
import type { TeamId } from '../../../../kernel/principal.js';
import {
  PostgresTeamWork,
  teamsOfFree,
} from '../../../../platform/database/transactions/postgres-team-work.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { PreviewRepository, type LeasedPreview } from '../domain/preview.repository.js';

const LISTS_AT_ONCE = 1_000;

const IS_OPEN = 'NOT done';
const ROWS = {
  table: 'list_previews',
  key: ['list'],
  leaseSeconds: 60,
  attempts: 'attempts',
  waitingTeams: teamsOfFree('list_previews', IS_OPEN),
  claims: {
    isOpen: IS_OPEN,
    orderBy: 'list',
    perTeam: 1,
    columns: 'list AS "listId", team_id AS "teamId", next_chunk AS "nextChunk", counts, attempts',
  },
};

type ClaimedRow = Omit<LeasedPreview, 'counts'> & { counts: StoredCounts };

@Injectable()
export class PostgresPreviewRepository
  extends PostgresTeamWork<LeasedPreview, ClaimedRow>
  implements PreviewRepository
{
  constructor(work: PostgresUnitOfWork) {
    super(work, ROWS);
  }

  async add(listId: ListId, teamId: TeamId, heldAt: Date, counts: PreviewCounts): Promise<void> {
    await this.work.manager.query(
      'INSERT INTO list_previews (list, team_id, held_at, counts) VALUES ($1, $2, $3, $4)',
      [listId, teamId, heldAt, JSON.stringify(counts)],
    );
  }

  save(preview: LeasedPreview): Promise<boolean> {
    const { nextChunk, counts } = preview;
    const values = [nextChunk, JSON.stringify(counts)];
    return this.updateLeased(preview, 'next_chunk = $1, counts = $2, attempts = 1', values);
  }

  finish(preview: LeasedPreview): Promise<boolean> {
    return this.updateLeased(preview, `done = true, lease = NULL, counts = '{}'`);
  }

  async delete(listId: ListId): Promise<void> {
    await this.work.manager.query('DELETE FROM list_previews WHERE list = $1', [listId]);
  }

  async listHeldBefore(before: Date): Promise<ListId[]> {
    const lists = await this.query<{ listId: ListId }>(
      `SELECT list AS "listId" FROM list_previews WHERE held_at <= $1 ORDER BY held_at LIMIT ${LISTS_AT_ONCE}`,
      [before],
    );
    return lists.map(({ listId }) => listId);
  }

  protected override keyOf({ listId }: LeasedPreview): readonly unknown[] {
    return [listId];
  }

  protected override unitOf(row: ClaimedRow): LeasedPreview {
    return { ...row, counts: PreviewCounts.from(row.counts) };
  }
}
