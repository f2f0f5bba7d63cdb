import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { NoContent, Ok, Operation } from '../../../platform/http/openapi/operation.js';
import { Caller, Role, NotFromLimitedNetworks } from '../../../platform/http/request/route-policy.js';
import { MembersService } from './members/members.service.js';
import {
  MemberResponse,
  RoleChange,
  TeamResponse,
  TeamUpdate,
  toMemberResponse,
  toTeamResponse,
} from './team/teams.dto.js';
import { TeamsService } from './team/teams.service.js';

@ApiTags('Team')
@Controller('v1/team')
export class TeamsController {
  constructor(
    private readonly teams: TeamsService,
    private readonly members: MembersService,
  ) {}

  @Get()
  @Operation('getTeam', 'The team of the key, with its members')
  @Ok('The team.', TeamResponse)
  async get(@Caller() caller: Principal): Promise<TeamResponse> {
    return toTeamResponse(await this.teams.get(caller.teamId, caller.userId));
  }

  @Patch()
  @Role('admin')
  @Operation('updateTeam', 'Change the name or the rules of the team')
  @Ok('The changed team.', TeamResponse)
  async update(@Body() body: TeamUpdate, @Caller() caller: Principal): Promise<TeamResponse> {
    const { name, retention_days: retentionDays, role_is_risky: roleIsRisky } = body;
    return toTeamResponse(await this.teams.update(caller, { name, retentionDays, roleIsRisky }));
  }

  @Delete()
  @Role('owner')
  @Operation('deleteTeam', 'Delete the team and all its data')
  @NoContent('The team was deleted.')
  async delete(@Caller() caller: Principal): Promise<void> {
    await this.teams.delete(caller);
  }

  @Delete('members/:id')
  @Operation('removeMember', 'Remove a member, or leave the team')
  @NoContent('The member was removed, and their keys of this team were revoked.')
  async removeMember(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    await this.members.remove(caller, id);
  }

  @Patch('members/:id')
  @NotFromLimitedNetworks()
  @Role('owner')
  @Operation('changeRole', 'Change the role of a member, or transfer the team')
  @Ok('The changed member.', MemberResponse)
  async changeRole(
    @Param('id') id: string,
    @Body() { role }: RoleChange,
    @Caller() caller: Principal,
  ): Promise<MemberResponse> {
    return toMemberResponse(await this.members.changeRole(caller, id, role));
  }
}
