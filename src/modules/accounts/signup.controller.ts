import { Body, Controller, Get, Header, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DomainError } from '../../kernel/errors.js';
import { Created, Ok, Operation } from '../../platform/http/openapi/operation.js';
import { Config } from '../../platform/config/config.js';
import { ClientNetwork, Public } from '../../platform/http/request/route-policy.js';
import { BodyGuard } from '../../platform/http/body/body.guard.js';
import { FormBodyGuard, isForm } from '../../platform/http/body/form-body.guard.js';
import {
  SignupConfirm,
  SignupOptionsResponse,
  SignupRequest,
  SignupResponse,
  toSignupResponse,
  toInput,
} from './accounts.dto.js';
import { SignupGuard } from './signup.guard.js';
import { confirmedPage, confirmSignupPage, notConfirmedPage } from './signup.pages.js';
import { SignupService } from './signup.service.js';

@ApiTags('Accounts')
@Public()
@Controller('signup')
export class SignupController {
  constructor(
    private readonly signup: SignupService,
    private readonly config: Config,
  ) {}

  @Get()
  @Operation('signupOptions', 'Whether anyone may create a team')
  @Ok('Who can create a team.', SignupOptionsResponse)
  options(): SignupOptionsResponse {
    return { mode: this.signup.mode };
  }

  @Post()
  @UseGuards(SignupGuard, BodyGuard)
  @Header('Cache-Control', 'no-store')
  @Operation('signUp', 'Create an account and a first key')
  @Created(
    'The account; its key is shown once. It is a test key if the address must be confirmed.',
    SignupResponse,
  )
  async signUp(@Body() body: SignupRequest, @ClientNetwork() source: string): Promise<SignupResponse> {
    return toSignupResponse(await this.signup.signUp(toInput(body), source));
  }

  @Post('confirm')
  @UseGuards(SignupGuard, FormBodyGuard)
  @Header('Cache-Control', 'no-store')
  @Operation('confirmSignup', 'Confirm the address with the token of the mail, and get a live key')
  @Ok('The account; its live key is shown once. The key from sign-up was revoked.', SignupResponse)
  async confirm(
    @Body() { token }: SignupConfirm,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Response,
  ): Promise<SignupResponse | string> {
    const confirmed = this.signup.confirm(token);
    return isForm(request) ? this.asPage(confirmed, reply) : toSignupResponse(await confirmed);
  }

  @Get('confirm')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  @Operation('confirmSignupPage', 'The page that the link in the mail opens')
  @ApiOkResponse({ description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } })
  confirmationPage(): string {
    return confirmSignupPage(this.config.publicUrl);
  }

  private async asPage(confirmed: ReturnType<SignupService['confirm']>, reply: Response): Promise<string> {
    try {
      const shown = confirmedPage(this.config.publicUrl, await confirmed);
      reply.type('html');
      return shown;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      reply.status(error.status).type('html');
      return notConfirmedPage(error.message);
    }
  }
}
