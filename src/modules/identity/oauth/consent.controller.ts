import { Body, Controller, Get, Header, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { Principal } from '../../../kernel/principal.js';
import { Config } from '../../../platform/config/config.js';
import { LimitedByNetwork } from '../../../platform/http/request/limited-by-network.js';
import { MultipleTransactions } from '../../../platform/http/idempotency/idempotency-key.js';
import {
  AllowTestKeys,
  Caller,
  NeedsUser,
  OwnOriginOnly,
  Public,
  NotFromLimitedNetworks,
} from '../../../platform/http/request/route-policy.js';
import { Consent, toResponse } from './consent.dto.js';
import { ConsentService } from './consent.service.js';

/** About a request, which is read from the database. */
const QUESTIONS = { ofNetwork: 120, windowMs: 60_000 };

/**
 * Between the request of a client and its answer. The cookie of the request has this path: nobody can answer for
 * another browser. The answer also needs the key of a user in a header, which no page of another origin can send.
 */
@ApiExcludeController()
@Controller('oauth/consent/:id')
export class ConsentController {
  constructor(
    private readonly consent: ConsentService,
    private readonly config: Config,
  ) {}

  /** The browser goes on to the page of the console. A fragment is not sent to any server. */
  @Get()
  @Public()
  @Header('Cache-Control', 'no-store')
  open(@Param('id') id: string, @Res() response: Response): void {
    response.redirect(303, `${this.config.publicUrl}/console#authorize=${encodeURIComponent(id)}`);
  }

  /** Who asks for what. */
  @Get('request')
  @Public()
  @LimitedByNetwork(QUESTIONS, 'The network of this client has asked about too many requests.')
  @Header('Cache-Control', 'no-store')
  async request(
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return toResponse(await this.consent.get({ request, response }, id));
  }

  @Post()
  @HttpCode(200)
  @NotFromLimitedNetworks()
  @NeedsUser()
  @AllowTestKeys()
  @OwnOriginOnly()
  @MultipleTransactions()
  @Header('Cache-Control', 'no-store')
  async answer(
    @Param('id') id: string,
    @Body() { allow, mode, scopes }: Consent,
    @Caller() caller: Principal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ redirect_to: string }> {
    const exchange = { request, response };
    const redirect = allow
      ? this.consent.allow(exchange, id, caller, { mode, scopes })
      : this.consent.deny(exchange, id);
    return { redirect_to: await redirect };
  }
}
