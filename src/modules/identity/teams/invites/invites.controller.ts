import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../../kernel/principal.js';
import { Created, NoContent, Ok, Operation } from '../../../../platform/http/openapi/operation.js';
import {
  Caller,
  NeedsUser,
  Role,
  NotFromLimitedNetworks,
} from '../../../../platform/http/request/route-policy.js';
import { Cursors, PageOf } from '../../../../platform/http/paging/cursor.js';
import {
  InviteCreate,
  InvitePage,
  InviteResponse,
  InvitesQuery,
  NewInviteResponse,
  toInviteResponse,
  toNewInviteResponse,
} from './invites.dto.js';
import { InvitesService } from './invites.service.js';

@ApiTags('Invites')
@Controller('v1/team/invites')
export class InvitesController {
  constructor(
    private readonly invites: InvitesService,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  @Role('admin')
  @Operation('listInvites', 'The team’s invites, newest first')
  @PageOf('A page of invites.', InvitePage)
  async list(@Query() query: InvitesQuery, @Caller() caller: Principal) {
    const { status = null } = query;
    const scope = `invites ${caller.teamId} ${status}`;
    const page = await this.invites.list(caller, status, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toInviteResponse);
  }

  @Post()
  @NotFromLimitedNetworks()
  @NeedsUser()
  @Role('admin')
  @Operation('createInvite', 'Invite an address; inviting it again replaces the pending invite')
  @Created('The invite, its token shown once.', NewInviteResponse, '/v1/team/invites')
  async create(
    @Body() { email, role, language, expires_in_days: days }: InviteCreate,
    @Caller() caller: Principal,
  ): Promise<NewInviteResponse> {
    return toNewInviteResponse(await this.invites.invite(caller, { email, role, language, days }));
  }

  @Get(':id')
  @Role('admin')
  @Operation('invite', 'One invite, without its token')
  @Ok('As the list has it.', InviteResponse)
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<InviteResponse> {
    return toInviteResponse(await this.invites.get(caller, id));
  }

  @Delete(':id')
  @Role('admin')
  @Operation('revokeInvite', 'Revoke a pending invite')
  @NoContent('The invite was revoked.')
  async revoke(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    await this.invites.revoke(caller, id);
  }
}
