import { NotFound, RoleRequired } from '../../../../kernel/errors.js';
import { atLeast, type Principal, type TeamId } from '../../../../kernel/principal.js';
import type { ApiKey } from './api-key.js';

/** @throws NotFound, also for the key of another team. */
export function inTeam(key: ApiKey | null, teamId: TeamId | undefined): ApiKey {
  if (key === null || key.teamId !== teamId) throw new NotFound('There is no such key.');
  return key;
}

/** The text of the key of a user is only for this user. @throws RoleRequired */
export function requireServiceKeyAndAdmin({ role }: Principal, { userId }: ApiKey): void {
  if (userId !== null)
    throw new RoleRequired(null, 'Only its own user may rotate this key. Admins may revoke it.');
  if (!atLeast(role, 'admin')) throw new RoleRequired('admin');
}
