import { Injectable } from '@nestjs/common';
import type { ListId } from '../../../../kernel/ids.js';
import type { TeamId } from '../../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { END, START } from '../domain/hash-range.js';
import { JOB_STATUSES } from '../domain/bulk-job.js';
import {
  StoredVerdictsRepository,
  type LiveList,
  type VerdictPage,
} from '../domain/stored-verdicts.repository.js';
import { addressOf } from './list-keys.js';
import { fromStored } from './stored-verdict.js';

const LISTS = `
  SELECT list AS "listId", id AS "jobId" FROM bulk_jobs
   WHERE team_id = $1 AND mode = 'live' AND state = ANY ($2) AND (finished_at IS NULL OR finished_at >= $3)
   ORDER BY created_at DESC, id DESC LIMIT $4`;
/** The condition is on the primary key, in its order. */
const VERDICTS = `
  SELECT address_key AS key, verdict FROM bulk_results
   WHERE address_key > $1 AND address_key < $2 ORDER BY address_key LIMIT $3`;

@Injectable()
export class PostgresStoredVerdictsRepository extends StoredVerdictsRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async listSince(team: TeamId, since: Date, limit: number): Promise<LiveList[]> {
    const values = [team, JOB_STATUSES, since, limit];
    return this.work.manager.query<LiveList[]>(LISTS, values);
  }

  async page(listId: ListId, after: Buffer | null, limit: number): Promise<VerdictPage> {
    const range = [after ?? addressOf(listId, START), addressOf(listId, END), limit];
    const rows = await this.work.manager.query<{ key: Buffer; verdict: unknown }[]>(VERDICTS, range);
    const last = rows.length < limit ? null : (rows.at(-1)?.key ?? null);
    return { verdicts: rows.map(({ verdict }) => fromStored(verdict)), last };
  }
}
