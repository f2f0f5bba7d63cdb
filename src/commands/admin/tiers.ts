import type { TierName } from '../../kernel/principal.js';
import { TeamsService } from '../../modules/teams/teams.service.js';
import { TiersService } from '../../modules/tiers/tiers.service.js';
import { TeamsModule } from '../../modules/teams/teams.module.js';
import { TiersModule } from '../../modules/tiers/tiers.module.js';
import type { Services } from '../command-context.js';
import { withDatabase } from '../database-context.js';
import { print, UsageError, type Format } from '../terminal.js';

export async function setTier(teamId: string, tier: string, options: Format): Promise<void> {
  await withDatabase([TeamsModule, TiersModule], async (services) => {
    const baseTier = asTier(services, tier);
    await services(TeamsService).setBaseTier(teamId, baseTier);
    print(options, { team_id: teamId, base_tier: baseTier }, () => `${teamId} is on ${baseTier} now.`);
  });
}

/** @throws UsageError when the table has no such tier. */
export function asTier(services: Services, name: string): TierName {
  const names = services(TiersService).names();
  if (!names.includes(name)) throw new UsageError(`the tier must be one of ${names.join(', ')}`);
  return name;
}
