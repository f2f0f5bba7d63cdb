import type { EventOf } from '../../../kernel/events.js';
import type { Role, TeamId, UserId } from '../../../kernel/principal.js';
import type { Invite } from './invite.js';
import type { NamedMember } from './member.js';

declare module '../../../kernel/events.js' {
  interface EventPayloads {
    'invite.accepted': MemberPayload & { invite_id: string; role: Role };
    'member.removed': MemberPayload;
    'team.deleted': Record<string, never>;
  }
}

type MemberPayload = { member_id: string; user_id: UserId };

/** A user has joined by an invite, or an existing member has used one. */
export function inviteAccepted(invite: Invite, member: NamedMember): EventOf<'invite.accepted'> {
  return {
    type: 'invite.accepted',
    teamId: invite.teamId,
    data: { invite_id: invite.id, member_id: member.id, user_id: member.userId, role: member.role },
  };
}

/** A user has left or was removed; their keys of this team are revoked. */
export function memberRemoved(
  teamId: TeamId,
  member: Pick<NamedMember, 'id' | 'userId'>,
): EventOf<'member.removed'> {
  return { type: 'member.removed', teamId, data: { user_id: member.userId, member_id: member.id } };
}

/** The team and all that refers to it have been deleted. */
export function teamDeleted(teamId: TeamId): EventOf<'team.deleted'> {
  return { type: 'team.deleted', teamId, data: {} };
}
