import { Body, Controller, Delete, Get, Header, HttpCode, Param, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '../../platform/http/documented.js';
import type { z } from 'zod';
import type { Principal } from '../../kernel/principal.js';
import { Caller, NeedsUser, Role } from '../../platform/http/route-policy.js';
import { Cursors, listOf } from '../../platform/http/cursor.js';
import { Post } from '../../platform/http/post.js';
import {
  InviteCreate,
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
  @ApiOperation({ operationId: 'listInvites', summary: 'The team’s invites, newest first' })
  @ApiOkResponse({ standardSchema: listOf(InviteResponse), description: 'A page of invites.' })
  async list(
    @Query({ schema: InvitesQuery }) query: z.infer<typeof InvitesQuery>,
    @Caller() caller: Principal,
  ) {
    const { status = null } = query;
    const scope = `invites ${caller.teamId} ${status}`;
    const page = await this.invites.list(caller, status, this.cursors.request(query, scope));
    return this.cursors.answer(page, scope, toInviteResponse);
  }

  @Post()
  @NeedsUser()
  @Role('admin')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'createInvite',
    summary: 'Invite an address; inviting it again replaces the pending invite',
  })
  @ApiCreatedResponse({ standardSchema: NewInviteResponse, description: 'The invite, its token shown once.' })
  async create(
    @Body({ schema: InviteCreate }) body: z.infer<typeof InviteCreate>,
    @Caller() caller: Principal,
  ): Promise<NewInviteResponse> {
    const { email, role, expires_in_days: expiresInDays } = body;
    return toNewInviteResponse(await this.invites.invite(caller, { email, role, expiresInDays }));
  }

  @Delete(':id')
  @Role('admin')
  @HttpCode(204)
  @ApiOperation({ operationId: 'revokeInvite', summary: 'Revoke a pending invite' })
  @ApiNoContentResponse({ description: 'Its token opens nothing any more.' })
  async revoke(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    await this.invites.revoke(caller, id);
  }
}
