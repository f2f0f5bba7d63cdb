import { Body, Controller, Header, HttpCode } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '../../platform/http/documented.js';
import type { z } from 'zod';
import type { Principal } from '../../kernel/principal.js';
import { Caller, NeedsUser } from '../../platform/http/route-policy.js';
import { Post } from '../../platform/http/post.js';
import { AccountsService } from './accounts.service.js';
import { AcceptInvite, JoinedResponse, toJoinedResponse } from './joining.dto.js';

const JOINED = {
  standardSchema: JoinedResponse,
  description: 'The team, who one is in it, and for a new member a key of it, shown this once.',
};

@ApiTags('Invites')
@Controller('v1')
export class JoiningController {
  constructor(private readonly accounts: AccountsService) {}

  @Post('team/invites/accept')
  @NeedsUser()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'acceptTeamInvite', summary: 'The same as POST /v1/invites/accept' })
  @ApiOkResponse(JOINED)
  acceptTeamInvite(
    @Body({ schema: AcceptInvite }) body: z.infer<typeof AcceptInvite>,
    @Caller() caller: Principal,
  ): Promise<JoinedResponse> {
    return this.accept(body, caller);
  }

  @Post('invites/accept')
  @NeedsUser()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'acceptInvite',
    summary: 'The key’s user joins the team that the token is for',
  })
  @ApiOkResponse(JOINED)
  async accept(
    @Body({ schema: AcceptInvite }) { token }: z.infer<typeof AcceptInvite>,
    @Caller() caller: Principal,
  ): Promise<JoinedResponse> {
    return toJoinedResponse(await this.accounts.acceptInvite(caller, token));
  }
}
