import { Body, Controller, Delete, Get, HttpCode, Param, Patch } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../kernel/principal.js';
import { Caller, Role } from '../../platform/http/request/route-policy.js';
import { MembersService } from './members.service.js';
import {
  MemberResponse,
  RoleChange,
  TeamResponse,
  TeamUpdate,
  toMemberResponse,
  toTeamResponse,
} from './teams.dto.js';
import { TeamsService } from './teams.service.js';

@ApiTags('Team')
@Controller('v1/team')
export class TeamsController {
  constructor(
    private readonly teams: TeamsService,
    private readonly members: MembersService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'getTeam', summary: 'The team of the key, with its members' })
  @ApiOkResponse({ type: TeamResponse, description: 'The team.' })
  async get(@Caller() caller: Principal): Promise<TeamResponse> {
    return toTeamResponse(await this.teams.get(caller.teamId, caller.userId));
  }

  @Patch()
  @Role('admin')
  @ApiOperation({ operationId: 'updateTeam', summary: 'Change the name or the rules of the team' })
  @ApiOkResponse({ type: TeamResponse, description: 'The changed team.' })
  async update(@Body() body: TeamUpdate, @Caller() caller: Principal): Promise<TeamResponse> {
    const { name, retention_days: retentionDays, role_is_risky: roleIsRisky } = body;
    return toTeamResponse(await this.teams.update(caller, { name, retentionDays, roleIsRisky }));
  }

  @Delete()
  @Role('owner')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteTeam', summary: 'Delete the team and all its data' })
  @ApiNoContentResponse({ description: 'The team was deleted.' })
  async delete(@Caller() caller: Principal): Promise<void> {
    await this.teams.delete(caller);
  }

  @Delete('members/:id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'removeMember',
    summary: 'Remove a member, or leave the team',
  })
  @ApiNoContentResponse({ description: 'The member was removed, and their keys of this team were revoked.' })
  async removeMember(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    await this.members.remove(caller, id);
  }

  @Patch('members/:id')
  @Role('owner')
  @ApiOperation({ operationId: 'changeRole', summary: 'Change the role of a member, or transfer the team' })
  @ApiOkResponse({ type: MemberResponse, description: 'The changed member.' })
  async changeRole(
    @Param('id') id: string,
    @Body() { role }: RoleChange,
    @Caller() caller: Principal,
  ): Promise<MemberResponse> {
    return toMemberResponse(await this.members.changeRole(caller, id, role));
  }
}
