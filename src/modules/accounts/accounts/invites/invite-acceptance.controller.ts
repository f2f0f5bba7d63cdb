import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../../kernel/principal.js';
import { Ok, Operation } from '../../../../platform/http/openapi/operation.js';
import { Caller, NeedsUser, NotFromLimitedNetworks } from '../../../../platform/http/request/route-policy.js';
import { AcceptInvite, JoinedResponse, toJoinedResponse } from './joining.dto.js';
import { JoiningService } from './joining.service.js';

const JOINED = 'The team, the membership and, for a new member, a key of the team that is shown once.';

/** The rest of invites is in `teams`. A new member gets a key, and `api-keys` uses `teams`. */
@ApiTags('Invites')
@Controller('v1')
export class InviteAcceptanceController {
  constructor(private readonly joining: JoiningService) {}

  @Post('team/invites/accept')
  @NotFromLimitedNetworks()
  @NeedsUser()
  @Operation('acceptTeamInvite', 'Accept an invite; the same as POST /v1/invites/accept')
  @Ok(JOINED, JoinedResponse)
  acceptTeamInvite(@Body() body: AcceptInvite, @Caller() caller: Principal): Promise<JoinedResponse> {
    return this.acceptInvite(body, caller);
  }

  @Post('invites/accept')
  @NotFromLimitedNetworks()
  @NeedsUser()
  @Operation('acceptInvite', 'Accept an invite: the user of the key joins the team')
  @Ok(JOINED, JoinedResponse)
  async acceptInvite(@Body() { token }: AcceptInvite, @Caller() caller: Principal): Promise<JoinedResponse> {
    return toJoinedResponse(await this.joining.accept(caller, token));
  }
}
