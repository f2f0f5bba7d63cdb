import { Body, Controller, Get, Header, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Accepted, Ok, Operation } from '../../../../platform/http/openapi/operation.js';
import { BodyGuard } from '../../../../platform/http/body/body.guard.js';
import { ClientNetwork, Public } from '../../../../platform/http/request/route-policy.js';
import { OidcSignInService } from '../oidc/oidc-sign-in.service.js';
import {
  SignInConfirm,
  SignInLinkRequest,
  SignInOptionsResponse,
  SignInResponse,
  toSignInResponse,
} from './sign-in.dto.js';
import { SignInService } from './sign-in.service.js';
import { LimitedPublicCalls } from './public-calls.guard.js';

@ApiTags('Accounts')
@Public()
@Controller('signin')
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly oidc: OidcSignInService,
  ) {}

  @Get()
  @Operation('signInOptions', 'How users can sign in to the console')
  @Ok('Whether links are sent by mail, and whether there is an identity provider.', SignInOptionsResponse)
  options(): SignInOptionsResponse {
    return { by_mail: this.signIn.areSent, oidc: this.oidc.isConfigured };
  }

  @Post()
  @UseGuards(BodyGuard)
  @LimitedPublicCalls()
  @Operation('requestSignInLink', 'Send a sign-in link to the address of a user')
  @Accepted(
    'If the address belongs to a confirmed member of a team, a link is sent. The response is the same for every address.',
  )
  async requestLink(
    @Body() { email, language }: SignInLinkRequest,
    @ClientNetwork() source: string,
  ): Promise<void> {
    await this.signIn.request(email, language, source);
  }

  @Post('confirm')
  @UseGuards(BodyGuard)
  @LimitedPublicCalls()
  @Header('Cache-Control', 'no-store')
  @Operation('confirmSignIn', 'Exchange the token of a sign-in link for a key that is valid for 12 hours')
  @Ok('The user and a key, which is shown once.', SignInResponse)
  async confirmSignIn(@Body() { token, team_id }: SignInConfirm): Promise<SignInResponse> {
    return toSignInResponse(await this.signIn.confirm(token, team_id ?? null));
  }
}
