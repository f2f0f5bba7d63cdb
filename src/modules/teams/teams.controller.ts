import { Body, Controller, Delete, Get, HttpCode, Param, Patch } from '@nestjs/common';
import {
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '../../platform/http/documented.js';
import type { z } from 'zod';
import type { Principal } from '../../kernel/principal.js';
import { Caller, Role } from '../../platform/http/route-policy.js';
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
  @ApiOkResponse({ standardSchema: TeamResponse, description: 'The team.' })
  async get(@Caller() caller: Principal): Promise<TeamResponse> {
    return toTeamResponse(await this.teams.get(caller.teamId, caller.userId));
  }

  @Patch()
  @Role('admin')
  @ApiOperation({ operationId: 'updateTeam', summary: 'Change the name or the rules of the team' })
  @ApiOkResponse({ standardSchema: TeamResponse, description: 'The team as it is now.' })
  async update(
    @Body({ schema: TeamUpdate }) body: z.infer<typeof TeamUpdate>,
    @Caller() caller: Principal,
  ): Promise<TeamResponse> {
    const { name, retention_days: retentionDays, role_is_risky: roleIsRisky } = body;
    return toTeamResponse(await this.teams.update(caller, { name, retentionDays, roleIsRisky }));
  }

  @Delete()
  @Role('owner')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteTeam', summary: 'Erase the team and everything of it' })
  @ApiNoContentResponse({ description: 'It is gone.' })
  async delete(@Caller() caller: Principal): Promise<void> {
    await this.teams.delete(caller);
  }

  @Delete('members/:id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'removeMember',
    summary: 'Remove a member (admins), or leave the team (oneself)',
  })
  @ApiNoContentResponse({ description: 'They are out, and their keys of this team are revoked.' })
  async removeMember(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    await this.members.remove(caller, id);
  }

  @Patch('members/:id')
  @Role('owner')
  @ApiOperation({ operationId: 'changeRole', summary: 'Give a member another role, or hand the team over' })
  @ApiOkResponse({ standardSchema: MemberResponse, description: 'The member as they are now.' })
  async changeRole(
    @Param('id') id: string,
    @Body({ schema: RoleChange }) { role }: z.infer<typeof RoleChange>,
    @Caller() caller: Principal,
  ): Promise<MemberResponse> {
    return toMemberResponse(await this.members.changeRole(caller, id, role));
  }
}
