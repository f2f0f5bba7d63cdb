import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Clock } from '../../kernel/clock.js';
import { BODY_TIMEOUT } from '../../platform/http/body/raw-body.js';
import { MultipleTransactions } from '../../platform/http/idempotency/idempotency-key.js';
import { Public } from '../../platform/http/request/route-policy.js';
import { NetworkLimiter } from '../../platform/memory/network-limiter.js';
import { clientNetworkOf } from '../../platform/net/client-network.js';
import { AuthorizationServer } from './domain/authorization-server.js';

const HOUR_MS = 3_600_000;
/** The network may be the servers of an assistant with many users. */
const CALLS = { ofNetwork: 120, windowMs: 60_000 };
/** Each is a row that is stored for an hour. */
const AUTHORIZATIONS = { ofNetwork: 120, inAll: 20_000, windowMs: HOUR_MS };
/** Each is a row that is stored for a day at least. */
const REGISTRATIONS = { ofNetwork: 20, inAll: 500, windowMs: HOUR_MS };

/** The endpoints of the authorization server. Its library responds, with the errors of RFC 6749 §5.2. */
@ApiExcludeController()
@Public()
@Controller()
export class OAuthController {
  private readonly calls: NetworkLimiter;
  private readonly authorizations: NetworkLimiter;
  private readonly registrations: NetworkLimiter;

  constructor(
    private readonly server: AuthorizationServer,
    clock: Clock,
  ) {
    this.calls = new NetworkLimiter(clock, CALLS);
    this.authorizations = new NetworkLimiter(clock, AUTHORIZATIONS);
    this.registrations = new NetworkLimiter(clock, REGISTRATIONS);
  }

  /** RFC 8414 §3. */
  @Get('.well-known/oauth-authorization-server')
  metadata(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.respond(request, response);
  }

  /** The same under the name of OpenID Connect, which clients ask for where `PUBLIC_URL` has a path. */
  @Get('.well-known/openid-configuration')
  openIdMetadata(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.respond(request, response);
  }

  @Get('oauth/jwks')
  jwks(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.respond(request, response);
  }

  /** A browser begins. */
  @Get('oauth/authorize')
  async authorize(@Req() request: Request, @Res() response: Response): Promise<void> {
    const waitMs = this.authorizations.consume(networkOf(request));
    if (waitMs > 0) return refuse(response, waitMs);
    return this.respond(request, response);
  }

  /** The browser comes back with the answer of the user. */
  @Get('oauth/authorize/:id')
  resume(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.respond(request, response);
  }

  @Post('oauth/token')
  @MultipleTransactions()
  token(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.respond(request, response);
  }

  /** RFC 7009. */
  @Post('oauth/revoke')
  @MultipleTransactions()
  revoke(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.respond(request, response);
  }

  /** Dynamic client registration (RFC 7591), for clients without a metadata document. */
  @Post('oauth/register')
  @MultipleTransactions()
  async register(@Req() request: Request, @Res() response: Response): Promise<void> {
    const waitMs = this.registrations.consume(networkOf(request));
    if (waitMs > 0) return refuse(response, waitMs);
    return this.respond(request, response);
  }

  private async respond(request: Request, response: Response): Promise<void> {
    const waitMs = this.calls.consume(networkOf(request));
    if (waitMs > 0) return refuse(response, waitMs);
    response.setHeader('Cache-Control', 'no-store');
    // The library bounds the bytes of a body, and not the time.
    const late = setTimeout(() => request.complete || request.destroy(), bodyTimeoutOf(request)).unref();
    try {
      await this.server.respond({ request, response });
    } finally {
      clearTimeout(late);
    }
  }
}

function networkOf({ ip = '' }: Request): string {
  return clientNetworkOf(ip);
}

function bodyTimeoutOf({ app }: Request): number {
  return app.get(BODY_TIMEOUT) as number;
}

function refuse(response: Response, waitMs: number): void {
  response.setHeader('Retry-After', String(Math.max(1, Math.ceil(waitMs / 1_000))));
  response.status(429).json({ error: 'temporarily_unavailable', error_description: 'too many requests' });
}
