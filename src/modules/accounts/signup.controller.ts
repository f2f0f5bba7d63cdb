import { Body, Controller, Header, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { DomainError } from '../../kernel/domain-error.js';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/route-policy.js';
import { BodyGuard } from '../../platform/http/body.guard.js';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '../../platform/http/documented.js';
import { FormBodyGuard, isForm } from '../../platform/http/form-body.guard.js';
import { STATUS_OF_KIND } from '../../platform/http/problem.filter.js';
import { confirmedPage, notConfirmedPage } from './confirm-signup-pages.js';
import { clientNetworkOf } from '../../platform/net/client-network.js';
import { SignupConfirm, SignupRequest, SignupResponse, toSignupResponse, toInput } from './signup.dto.js';
import { SignupGuard } from './signup.guard.js';
import { SignupService } from './signup.service.js';

@ApiTags('Accounts')
@Controller('signup')
export class SignupController {
  constructor(
    private readonly signup: SignupService,
    private readonly config: Config,
  ) {}

  @Post()
  @Public()
  @UseGuards(SignupGuard, BodyGuard)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'signUp', summary: 'Get an account and a first key' })
  @ApiCreatedResponse({
    standardSchema: SignupResponse,
    description:
      'The account; its key is shown this once. A test key where the address is to be confirmed first.',
  })
  async signUp(
    @Body({ schema: SignupRequest }) body: z.infer<typeof SignupRequest>,
    @Req() { ip = '' }: Request,
  ): Promise<SignupResponse> {
    return toSignupResponse(await this.signup.signUp(toInput(body), clientNetworkOf(ip)));
  }

  @Post('confirm')
  @Public()
  @UseGuards(SignupGuard, FormBodyGuard)
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'confirmSignup',
    summary: 'Show that the address is yours, with the token that was sent there, and get a live key',
  })
  @ApiOkResponse({
    standardSchema: SignupResponse,
    description: 'The account; its live key is shown this once, and the key from sign-up has ended.',
  })
  async confirm(
    @Body({ schema: SignupConfirm }) { token }: z.infer<typeof SignupConfirm>,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Response,
  ): Promise<SignupResponse | string> {
    const confirmed = this.signup.confirm(token);
    return isForm(request) ? this.asPage(confirmed, reply) : toSignupResponse(await confirmed);
  }

  /** The page's button was pressed: the answer is a page too. */
  private async asPage(confirmed: ReturnType<SignupService['confirm']>, reply: Response): Promise<string> {
    try {
      const shown = confirmedPage(this.config.publicUrl, await confirmed);
      reply.type('html');
      return shown;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      reply.status(STATUS_OF_KIND[error.fact.kind]).type('html');
      return notConfirmedPage(error.message);
    }
  }
}
