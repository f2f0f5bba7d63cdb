import { Body, Controller, Get, Header, Post, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '../../platform/http/documented.js';
import type { z } from 'zod';
import type { Principal } from '../../kernel/language.js';
import { Caller, Public } from '../../platform/http/access.js';
import { BodyGuard } from '../../platform/http/body.guard.js';
import {
  MeResponse,
  SignupRequest,
  SignupResponse,
  toMeResponse,
  toSignupResponse,
  toWish,
} from './accounts.dto.js';
import { AccountsService } from './accounts.service.js';
import { SignupGuard } from './signup.guard.js';

@ApiTags('Accounts')
@Controller()
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Post('signup')
  @Public()
  @UseGuards(SignupGuard, BodyGuard)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'signUp', summary: 'Get an account and a first key' })
  @ApiCreatedResponse({
    standardSchema: SignupResponse,
    description: 'The account; its key is shown this once.',
  })
  async signUp(
    @Body({ schema: SignupRequest }) body: z.infer<typeof SignupRequest>,
  ): Promise<SignupResponse> {
    return toSignupResponse(await this.accounts.signUp(toWish(body)));
  }

  @Get('v1/me')
  @ApiOperation({ operationId: 'me', summary: 'Whose key this is, and where it acts' })
  @ApiOkResponse({ standardSchema: MeResponse, description: 'The user, the team, the role and the key.' })
  async me(@Caller() caller: Principal): Promise<MeResponse> {
    return toMeResponse(await this.accounts.whoIs(caller));
  }
}
