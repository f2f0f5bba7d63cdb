import { Body, Controller, Get, Header, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { BodyGuard } from '../../platform/http/body/body.guard.js';
import { Public } from '../../platform/http/request/route-policy.js';
import { clientNetworkOf } from '../../platform/net/client-network.js';
import { OidcSignInService } from './oidc-sign-in.service.js';
import { SignInLinksService } from './sign-in-links.service.js';
import {
  SignInConfirm,
  SignInLinkRequest,
  SignInOptionsResponse,
  SignInResponse,
  toSignInResponse,
} from './sign-in.dto.js';
import { SignInService } from './sign-in.service.js';
import { SignupGuard } from './signup.guard.js';

@ApiTags('Accounts')
@Public()
@Controller('signin')
export class SignInController {
  constructor(
    private readonly links: SignInLinksService,
    private readonly signIn: SignInService,
    private readonly oidc: OidcSignInService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'signInOptions', summary: 'How users can sign in to the console' })
  @ApiOkResponse({
    type: SignInOptionsResponse,
    description: 'Whether links are sent by mail, and whether there is an identity provider.',
  })
  options(): SignInOptionsResponse {
    return { by_mail: this.links.areSent, oidc: this.oidc.isConfigured };
  }

  @Post()
  @UseGuards(SignupGuard, BodyGuard)
  @HttpCode(202)
  @ApiOperation({
    operationId: 'requestSignInLink',
    summary: 'Send a sign-in link to the address of a user',
  })
  @ApiAcceptedResponse({
    description:
      'If the address belongs to a confirmed member of a team, a link is sent. The response is the same for every address.',
  })
  async requestLink(@Body() { email }: SignInLinkRequest, @Req() { ip = '' }: Request): Promise<void> {
    await this.links.request(email, clientNetworkOf(ip));
  }

  @Post('confirm')
  @UseGuards(SignupGuard, BodyGuard)
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'confirmSignIn',
    summary: 'Exchange the token of a sign-in link for a key that is valid for 12 hours',
  })
  @ApiOkResponse({ type: SignInResponse, description: 'The user and a key, which is shown once.' })
  async confirmSignIn(@Body() { token, team_id }: SignInConfirm): Promise<SignInResponse> {
    return toSignInResponse(await this.signIn.confirm(token, team_id ?? null));
  }
}
