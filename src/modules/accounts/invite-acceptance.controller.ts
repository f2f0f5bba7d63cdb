import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../kernel/principal.js';
import { Caller, NeedsUser } from '../../platform/http/request/route-policy.js';
import { AccountsService } from './accounts.service.js';
import { AcceptInvite, JoinedResponse, toJoinedResponse } from './joining.dto.js';

const JOINED = {
  type: JoinedResponse,
  description: 'The team, the membership and, for a new member, a key of the team that is shown once.',
};

@ApiTags('Invites')
@Controller('v1')
export class JoiningController {
  constructor(private readonly accounts: AccountsService) {}

  @Post('team/invites/accept')
  @NeedsUser()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'acceptTeamInvite',
    summary: 'Accept an invite; the same as POST /v1/invites/accept',
  })
  @ApiOkResponse(JOINED)
  acceptTeamInvite(@Body() body: AcceptInvite, @Caller() caller: Principal): Promise<JoinedResponse> {
    return this.accept(body, caller);
  }

  @Post('invites/accept')
  @NeedsUser()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'acceptInvite',
    summary: 'Accept an invite: the user of the key joins the team',
  })
  @ApiOkResponse(JOINED)
  async accept(@Body() { token }: AcceptInvite, @Caller() caller: Principal): Promise<JoinedResponse> {
    return toJoinedResponse(await this.accounts.acceptInvite(caller, token));
  }
}
