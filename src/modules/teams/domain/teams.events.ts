import type { DomainEvent } from '../../../kernel/domain-event.js';
import type { TeamId } from '../../../kernel/principal.js';
import type { Invite } from './invite.js';
import type { NamedMember } from './member.js';

/** A user has joined by an invite; one who was a member already has used theirs up. */
export function inviteAccepted(invite: Invite, member: NamedMember): DomainEvent {
  return {
    type: 'invite.accepted',
    teamId: invite.teamId,
    data: { invite_id: invite.id, member_id: member.id, user_id: member.userId, role: member.role },
  };
}

/** A user has left or was removed; what they hold in this team ends. */
export function memberRemoved(teamId: TeamId, member: Pick<NamedMember, 'id' | 'userId'>): DomainEvent {
  return { type: 'member.removed', teamId, data: { user_id: member.userId, member_id: member.id } };
}

/** The team and all that refers to it is gone. */
export function teamDeleted(teamId: TeamId): DomainEvent {
  return { type: 'team.deleted', teamId, data: {} };
}
