import { Injectable } from '@nestjs/common';
import type { TeamId } from '../../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { JobNumbers } from '../domain/job-numbers.js';

@Injectable()
export class PostgresJobNumbers extends JobNumbers {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async add(teamId: TeamId, jobId: string): Promise<number> {
    const [row] = await this.work.manager.query<{ number: number }[]>(
      `WITH next AS (
         INSERT INTO reacher_numbers (team_id, last) VALUES ($1, 1)
             ON CONFLICT (team_id) DO UPDATE SET last = reacher_numbers.last + 1
         RETURNING last)
       INSERT INTO reacher_jobs (team_id, number, job_id) SELECT $1, last, $2 FROM next RETURNING number`,
      [teamId, jobId],
    );
    if (row === undefined) throw new Error('The list was given no number');
    return row.number;
  }

  async find(teamId: TeamId, number: number): Promise<string | null> {
    const [row] = await this.work.manager.query<{ jobId: string }[]>(
      'SELECT job_id AS "jobId" FROM reacher_jobs WHERE team_id = $1 AND number = $2',
      [teamId, number],
    );
    return row?.jobId ?? null;
  }
}
