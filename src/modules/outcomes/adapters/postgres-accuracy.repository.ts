import { Injectable } from '@nestjs/common';
import type { TeamId } from '../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import type { Accuracy, AccuracyCounts, CalibrationBin } from '../domain/accuracy.js';
import { AccuracyRepository } from '../domain/accuracy.repository.js';

/** An address counts once in each column. */
const COUNTS = `
  SELECT reason, provider, sum(verified)::integer AS verified, sum(delivered)::integer AS delivered,
         sum(bounced)::integer AS bounced, sum(complained)::integer AS complained
    FROM (
      SELECT reason, provider, count(DISTINCT address_hash) AS verified, 0 AS delivered, 0 AS bounced, 0 AS complained
        FROM outcome_verdicts WHERE team_id = $1 AND verified_at > $2 GROUP BY reason, provider
      UNION ALL
      SELECT reason, provider, 0, count(DISTINCT address_hash) FILTER (WHERE kind = 'delivered'),
             count(DISTINCT address_hash) FILTER (WHERE is_hard),
             count(DISTINCT address_hash) FILTER (WHERE kind = 'complained')
        FROM outcomes WHERE team_id = $1 AND at > $2 AND reason IS NOT NULL GROUP BY reason, provider) AS parts
   GROUP BY reason, provider
   ORDER BY 3 DESC, reason, provider NULLS LAST`;

const BINS = `
  SELECT count(*)::integer AS outcomes, sum(estimate) AS estimated, sum(delivered)::integer AS delivered,
         sum((estimate - delivered) ^ 2) AS "squaredError"
    FROM (
      SELECT DISTINCT ON (address_hash) estimate::double precision, (kind = 'delivered')::integer AS delivered
        FROM outcomes
       WHERE team_id = $1 AND at > $2 AND (is_hard OR kind = 'delivered') AND estimate IS NOT NULL
       ORDER BY address_hash, at DESC) AS known
   GROUP BY least(floor(estimate * 10), 9)`;

@Injectable()
export class PostgresAccuracyRepository extends AccuracyRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async get(team: TeamId, since: Date): Promise<Accuracy> {
    const counts = await this.work.manager.query<AccuracyCounts[]>(COUNTS, [team, since]);
    const bins = await this.work.manager.query<CalibrationBin[]>(BINS, [team, since]);
    return { counts, bins };
  }
}
