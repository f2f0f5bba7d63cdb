import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { MultipleTransactions } from '../../../platform/http/idempotency/idempotency-key.js';
import { LimitedByNetwork } from '../../../platform/http/request/limited-by-network.js';
import { AnyOrigin, Public } from '../../../platform/http/request/route-policy.js';
import { AuthorizationServer, type Endpoint } from './domain/authorization-server.js';
import { OAuthErrorFilter } from './oauth-error.filter.js';
import { HOUR_MS } from '../../../kernel/durations.js';

/** The network may be the servers of an assistant with many users. */
const CALLS = { ofNetwork: 120, windowMs: 60_000 };
/** Each is a row that is stored for an hour. */
const AUTHORIZATIONS = { ofNetwork: 120, together: 20_000, windowMs: HOUR_MS };
/** Each is a row that is stored for a day at least. */
const REGISTRATIONS = { ofNetwork: 20, together: 2_000, windowMs: HOUR_MS };

/** The endpoints of the authorization server. Its library responds, with the errors of RFC 6749 §5.2. */
@ApiExcludeController()
@Public()
@LimitedByNetwork(CALLS, 'The network of this client has sent too many requests.')
@UseFilters(OAuthErrorFilter)
@Controller()
export class OAuthController {
  constructor(private readonly server: AuthorizationServer) {}

  /** RFC 8414 §3. Old clients put the path of the resource behind it, or ask below the resource. */
  @Get([
    '.well-known/oauth-authorization-server',
    '.well-known/oauth-authorization-server/mcp',
    'mcp/.well-known/oauth-authorization-server',
    // The same under the name of OpenID Connect, which clients ask for where `PUBLIC_URL` has a path.
    '.well-known/openid-configuration',
    '.well-known/openid-configuration/mcp',
    'mcp/.well-known/openid-configuration',
  ])
  @AnyOrigin()
  metadata(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.respond(request, response, 'metadata');
  }

  @Get('oauth/jwks')
  @AnyOrigin()
  jwks(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.respond(request, response, 'jwks');
  }

  /** A browser begins. */
  @Get('oauth/authorize')
  @LimitedByNetwork(AUTHORIZATIONS, 'The network of this client has begun too many authorizations.')
  authorize(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.respond(request, response, 'authorization');
  }

  /** The browser comes back with the answer of the user. */
  @Get('oauth/authorize/:id')
  resume(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.respond(request, response, 'resumption');
  }

  @Post('oauth/token')
  @AnyOrigin()
  @MultipleTransactions()
  token(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.respond(request, response, 'token');
  }

  /** RFC 7009. */
  @Post('oauth/revoke')
  @AnyOrigin()
  @MultipleTransactions()
  revoke(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.respond(request, response, 'revocation');
  }

  /** Dynamic client registration (RFC 7591), for clients without a metadata document. */
  @Post('oauth/register')
  @AnyOrigin()
  @MultipleTransactions()
  @LimitedByNetwork(REGISTRATIONS, 'The network of this client has registered too many clients.')
  register(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.respond(request, response, 'registration');
  }

  private async respond(request: Request, response: Response, endpoint: Endpoint): Promise<void> {
    response.setHeader('Cache-Control', 'no-store');
    await this.server.respond({ request, response }, endpoint);
  }
}
