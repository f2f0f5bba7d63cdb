import { Body, Controller, Get, Header, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Clock } from '../../kernel/clock.js';
import { RateLimited } from '../../kernel/errors.js';
import type { Principal } from '../../kernel/principal.js';
import { Config } from '../../platform/config/config.js';
import { MultipleTransactions } from '../../platform/http/idempotency/idempotency-key.js';
import {
  AllowTestKeys,
  Caller,
  ClientNetwork,
  NeedsUser,
  OwnOriginOnly,
  Public,
  UnlimitedKeysOnly,
} from '../../platform/http/request/route-policy.js';
import { NetworkLimiter } from '../../platform/memory/network-limiter.js';
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
  private readonly questions: NetworkLimiter;

  constructor(
    private readonly consent: ConsentService,
    private readonly config: Config,
    clock: Clock,
  ) {
    this.questions = new NetworkLimiter(clock, QUESTIONS);
  }

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
  @Header('Cache-Control', 'no-store')
  async request(
    @Param('id') id: string,
    @ClientNetwork() network: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const waitMs = this.questions.consume(network);
    if (waitMs > 0) throw new RateLimited(waitMs / 1_000);
    return toResponse(await this.consent.get({ request, response }, id));
  }

  @Post()
  @HttpCode(200)
  @UnlimitedKeysOnly()
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
