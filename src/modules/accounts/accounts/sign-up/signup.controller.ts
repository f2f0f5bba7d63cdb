import { Body, Controller, Get, Header, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BodyGuard } from '../../../../platform/http/body/body.guard.js';
import { Created, Ok, Operation } from '../../../../platform/http/openapi/operation.js';
import { ClientNetwork, Public } from '../../../../platform/http/request/route-policy.js';
import {
  SignupConfirm,
  SignupOptionsResponse,
  SignupRequest,
  SignupResponse,
  toInput,
  toSignupResponse,
} from './signup.dto.js';
import { LimitedPublicCalls } from '../sign-in/public-calls.guard.js';
import { SignupService } from './signup.service.js';

@ApiTags('Accounts')
@Public()
@Controller('signup')
export class SignupController {
  constructor(private readonly signup: SignupService) {}

  @Get()
  @Operation('signupOptions', 'Whether anyone may create a team')
  @Ok('Who can create a team.', SignupOptionsResponse)
  options(): SignupOptionsResponse {
    return { mode: this.signup.mode };
  }

  @Post()
  @UseGuards(BodyGuard)
  @LimitedPublicCalls()
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
  @UseGuards(BodyGuard)
  @LimitedPublicCalls()
  @Header('Cache-Control', 'no-store')
  @Operation('confirmSignup', 'Confirm the address with the token of the mail, and get a live key')
  @Ok('The account; its live key is shown once. The key from sign-up was revoked.', SignupResponse)
  async confirm(@Body() { token }: SignupConfirm): Promise<SignupResponse> {
    return toSignupResponse(await this.signup.confirm(token));
  }
}
