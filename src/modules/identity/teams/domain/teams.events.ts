import type { Role, UserId } from '../../../../kernel/principal.js';

declare module '../../../../kernel/events.js' {
  interface EventPayloads {
    /** A user has joined by an invite, or an existing member has used one. */
    'invite.accepted': MemberPayload & { invite_id: string; role: Role };
    /** A user has left or was removed; their keys of this team are revoked. */
    'member.removed': MemberPayload;
    /** The team and all that refers to it have been deleted. */
    'team.deleted': Record<string, never>;
  }
}

type MemberPayload = { member_id: string; user_id: UserId };
