import { Body, Controller, Header, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DomainError } from '../../kernel/errors.js';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/request/route-policy.js';
import { BodyGuard } from '../../platform/http/body/body.guard.js';
import { FormBodyGuard, isForm } from '../../platform/http/body/form-body.guard.js';
import { STATUS_OF_KIND } from '../../platform/http/problems/problem.filter.js';
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
  @ApiOperation({ operationId: 'signUp', summary: 'Create an account and a first key' })
  @ApiCreatedResponse({
    type: SignupResponse,
    description: 'The account; its key is shown once. It is a test key if the address must be confirmed.',
  })
  async signUp(@Body() body: SignupRequest, @Req() { ip = '' }: Request): Promise<SignupResponse> {
    return toSignupResponse(await this.signup.signUp(toInput(body), clientNetworkOf(ip)));
  }

  @Post('confirm')
  @Public()
  @UseGuards(SignupGuard, FormBodyGuard)
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'confirmSignup',
    summary: 'Confirm the address with the token of the mail, and get a live key',
  })
  @ApiOkResponse({
    type: SignupResponse,
    description: 'The account; its live key is shown once. The key from sign-up was revoked.',
  })
  async confirm(
    @Body() { token }: SignupConfirm,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Response,
  ): Promise<SignupResponse | string> {
    const confirmed = this.signup.confirm(token);
    return isForm(request) ? this.asPage(confirmed, reply) : toSignupResponse(await confirmed);
  }

  /** Responds to the form of the page with a page. */
  private async asPage(confirmed: ReturnType<SignupService['confirm']>, reply: Response): Promise<string> {
    try {
      const shown = confirmedPage(this.config.publicUrl, await confirmed);
      reply.type('html');
      return shown;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      reply.status(STATUS_OF_KIND[error.definition.kind]).type('html');
      return notConfirmedPage(error.message);
    }
  }
}
