import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { Ok, Operation } from '../../../platform/http/openapi/operation.js';
import { AnyScope, Caller } from '../../../platform/http/request/route-policy.js';
import { MeResponse, toMeResponse } from './accounts.dto.js';
import { AccountsService } from './accounts.service.js';

@ApiTags('Accounts')
@Controller('v1')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Get('me')
  @AnyScope()
  @Operation('me', 'The user, team and role of the key')
  @Ok('The user, the team, the role and the key.', MeResponse)
  async me(@Caller() caller: Principal): Promise<MeResponse> {
    return toMeResponse(await this.accounts.profile(caller));
  }
}
