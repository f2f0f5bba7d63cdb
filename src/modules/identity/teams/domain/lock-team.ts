import { InvalidCredential, RoleRequired } from '../../../../kernel/errors.js';
import { atLeast, type Principal, type Role } from '../../../../kernel/principal.js';
import type { Member, Team } from './team.js';
import type { TeamRepository } from './team.repository.js';

/**
 * Locks the team for a change, and reads the caller's membership, which may differ from the cached one; null: a service
 * key, or a user who has just left. Must come first in a unit of work.
 *
 * @throws InvalidCredential when the team was deleted.
 */
export async function lockTeam(
  teams: TeamRepository,
  { teamId, userId }: Principal,
): Promise<{ team: Team; member: Member | null }> {
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
