import { InvalidCredential, RoleRequired } from '../../../kernel/errors.js';
import { atLeast, type Principal, type Role } from '../../../kernel/principal.js';
import type { Member } from './member.js';
import type { Team } from './team.js';
import type { TeamRepository } from './team.repository.js';

/** A team locked for a change, and the caller's current membership, which may differ from the cached one. */
export interface LockedTeam {
  team: Team;
  /** null: a service key, or a user who has just left. */
  member: Member | null;
}

/** Must come first in a unit of work. @throws InvalidCredential when the team was deleted. */
export async function lockTeam(teams: TeamRepository, { teamId, userId }: Principal): Promise<LockedTeam> {
  const team = await teams.findForUpdate(teamId);
  if (team === null) throw new InvalidCredential();
  return { team, member: userId === null ? null : await teams.findMember(teamId, userId) };
}

/** @throws RoleRequired when the caller's role is lower; InvalidCredential when the team was deleted. */
export async function lockTeamAs(
  role: Role,
  teams: TeamRepository,
  caller: Principal,
): Promise<{ team: Team; member: Member }> {
  const { team, member } = await lockTeam(teams, caller);
  if (member === null || !atLeast(member.role, role)) throw new RoleRequired(role);
  return { team, member };
}
