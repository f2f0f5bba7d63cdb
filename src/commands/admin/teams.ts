import type { TierName } from '../../kernel/principal.js';
import { TeamsModule } from '../../modules/identity/teams/teams.module.js';
import { TeamsService, type TeamSummary } from '../../modules/identity/teams/team/teams.service.js';
import { TiersModule } from '../../modules/identity/tiers/tiers.module.js';
import { TiersService } from '../../modules/identity/tiers/tiers.service.js';
import type { Services } from '../command-context.js';
import { withDatabase } from '../database-context.js';
import { print, UsageError, type Format } from '../terminal.js';

/** Shows every team with its members, and the ids that `keys create` requires. */
export async function listTeams(options: Format): Promise<void> {
  await withDatabase([TeamsModule], async (services) => {
    const teams: TeamSummary[] = [];
    for await (const team of services(TeamsService).all()) teams.push(team);
    print(options, teams.map(toJson), () => teams.map(toLine).join('\n') || 'no teams');
  });
}

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

function toJson({ team, tier, members }: TeamSummary) {
  return {
    id: team.id,
    name: team.name,
    tier,
    created_at: team.createdAt.toISOString(),
    members: members.map(({ userId, email, role }) => ({ user_id: userId, email, role })),
  };
}

function toLine({ team, tier, members }: TeamSummary): string {
  const people = members.map(({ userId, email, role }) => `${email} (${role}, ${userId})`).join(', ');
  return [team.id, tier, team.name, people || 'no members'].join('  ');
}
