import type { DataSource } from 'typeorm';
import type { TierName } from '../../../../kernel/principal.js';
import { ConfigError } from '../../../../platform/config/config.js';

/**
 * Refuses to start when a team has a tier that the table does not contain.
 *
 * @param known the tiers of the table.
 * @throws ConfigError with each missing tier and the number of its teams.
 */
export async function requireKnownTiers(dataSource: DataSource, known: readonly TierName[]): Promise<void> {
  const missing = await dataSource.query<{ tier: TierName; teams: number }[]>(
    `SELECT tier, count(DISTINCT id)::int AS teams
       FROM (SELECT id, base_tier AS tier FROM teams
             UNION ALL
             SELECT id, subscription_tier FROM teams WHERE subscription_tier IS NOT NULL) AS held
      WHERE tier <> ALL ($1)
      GROUP BY tier
      ORDER BY tier`,
    [known],
  );
  if (missing.length === 0) return;
  throw new ConfigError(
    missing
      .map(
        ({ tier, teams }) =>
          `The tier table (TIERS_FILE) has no tier named ${tier}, but ${teams} ${teams === 1 ? 'team has' : 'teams have'} it. ` +
          'Put it back until they have another one (rcpt tier set TEAM_ID TIER).',
      )
      .join('\n'),
  );
}
