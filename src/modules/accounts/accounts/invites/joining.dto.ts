import { LinkToken, ObjectOf, Schema } from '../../../../platform/http/validation/fields.js';
import { NewKeyResponse, toNewResponse } from '../../../identity/api-keys/api-keys.dto.js';
import {
  MemberResponse,
  TeamResponse,
  toMemberResponse,
  toTeamResponse,
} from '../../../identity/teams/team/teams.dto.js';
import type { NewMember } from './joining.service.js';

@Schema('AcceptInvite')
export class AcceptInvite {
  @LinkToken('Send the token of the invite.')
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
