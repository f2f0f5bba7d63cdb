import { z } from 'zod';
import { NewKeyResponse, toNewResponse } from '../api-keys/api-keys.dto.js';
import { MemberResponse, TeamResponse, toMemberResponse, toTeamResponse } from '../teams/teams.dto.js';
import type { NewMember } from './accounts.service.js';

export const AcceptInvite = z
  .strictObject({
    token: z
      .string('Send the token of the invite.')
      .min(1, 'Send the token of the invite.')
      .max(200, 'That is no token.'),
  })
  .meta({ id: 'AcceptInvite' });

export const JoinedResponse = z
  .strictObject({
    team: TeamResponse,
    member: MemberResponse,
    key: NewKeyResponse.nullable().meta({
      description: 'A key of theirs for this team, for a new member; null: they were in it before.',
    }),
  })
  .meta({ id: 'Joined' });
export type JoinedResponse = z.infer<typeof JoinedResponse>;

export function toJoinedResponse({ team, member, key }: NewMember): JoinedResponse {
  return {
    team: toTeamResponse(team),
    member: toMemberResponse(member),
    key: key && toNewResponse(key),
  };
}
