import { TeamsModule } from '../../modules/teams/teams.module.js';
import { TeamsService, type TeamSummary } from '../../modules/teams/teams.service.js';
import { withDatabase } from '../database-context.js';
import { print, type Format } from '../terminal.js';

/** Shows every team with its members, and the ids that `keys create` requires. */
export async function listTeams(options: Format): Promise<void> {
  await withDatabase([TeamsModule], async (services) => {
    const teams: TeamSummary[] = [];
    for await (const team of services(TeamsService).all()) teams.push(team);
    print(options, teams.map(toJson), () => teams.map(toLine).join('\n') || 'no teams');
  });
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
