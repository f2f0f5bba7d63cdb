import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../kernel/principal.js';
import { Caller } from '../../platform/http/request/route-policy.js';
import { MeResponse, toMeResponse } from './accounts.dto.js';
import { AccountsService } from './accounts.service.js';

@ApiTags('Accounts')
@Controller()
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Get('v1/me')
  @ApiOperation({ operationId: 'me', summary: 'The user, team and role of the key' })
  @ApiOkResponse({ type: MeResponse, description: 'The user, the team, the role and the key.' })
  async me(@Caller() caller: Principal): Promise<MeResponse> {
    return toMeResponse(await this.accounts.profile(caller));
  }
}
