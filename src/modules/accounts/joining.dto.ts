import { ObjectOf, Schema, Text } from '../../platform/http/validation/fields.js';
import { NewKeyResponse, toNewResponse } from '../api-keys/api-keys.dto.js';
import { MemberResponse, TeamResponse, toMemberResponse, toTeamResponse } from '../teams/teams.dto.js';
import type { NewMember } from './accounts.service.js';

@Schema('AcceptInvite')
export class AcceptInvite {
  @Text({
    min: 1,
    max: 200,
    message: 'Send the token of the invite.',
    tooLong: 'A token has at most 200 characters.',
  })
  token: string;
}

@Schema('Joined')
export class JoinedResponse {
  @ObjectOf(() => TeamResponse)
  team: TeamResponse;

  @ObjectOf(() => MemberResponse)
  member: MemberResponse;

  @ObjectOf(() => NewKeyResponse, {
    nullable: true,
    description: 'A key of a new member for this team; null: the user was a member before.',
  })
  key: NewKeyResponse | null;
}

export function toJoinedResponse({ team, member, key }: NewMember): JoinedResponse {
  return {
    team: toTeamResponse(team),
    member: toMemberResponse(member),
    key: key && toNewResponse(key),
  };
}
