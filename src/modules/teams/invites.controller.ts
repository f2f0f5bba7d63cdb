import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import type { Principal } from '../../kernel/principal.js';
import { Caller, NeedsUser, Role } from '../../platform/http/request/route-policy.js';
import { Cursors } from '../../platform/http/paging/cursor.js';
import { Paged } from '../../platform/http/paging/next-page.js';
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
  @Paged()
  @Role('admin')
  @ApiOperation({ operationId: 'listInvites', summary: 'The team’s invites, newest first' })
  @ApiOkResponse({ type: InvitePage, description: 'A page of invites.' })
  async list(@Query() query: InvitesQuery, @Caller() caller: Principal) {
    const { status = null } = query;
    const scope = `invites ${caller.teamId} ${status}`;
    const page = await this.invites.list(caller, status, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toInviteResponse);
  }

  @Post()
  @NeedsUser()
  @Role('admin')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'createInvite',
    summary: 'Invite an address; inviting it again replaces the pending invite',
  })
  @ApiCreatedResponse({ type: NewInviteResponse, description: 'The invite, its token shown once.' })
  async create(
    @Body() body: InviteCreate,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewInviteResponse> {
    const { email, role, expires_in_days: expiresInDays } = body;
    const made = await this.invites.invite(caller, { email, role, expiresInDays });
    response.location(`/v1/team/invites/${made.invite.id}`);
    return toNewInviteResponse(made);
  }

  @Get(':id')
  @Role('admin')
  @ApiOperation({ operationId: 'invite', summary: 'One invite, without its token' })
  @ApiOkResponse({ type: InviteResponse, description: 'As the list has it.' })
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<InviteResponse> {
    return toInviteResponse(await this.invites.get(caller, id));
  }

  @Delete(':id')
  @Role('admin')
  @HttpCode(204)
  @ApiOperation({ operationId: 'revokeInvite', summary: 'Revoke a pending invite' })
  @ApiNoContentResponse({ description: 'The invite was revoked.' })
  async revoke(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    await this.invites.revoke(caller, id);
  }
}
