import { Controller, Get, Header, Headers, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Clock } from '../../kernel/clock.js';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/request/route-policy.js';
import { AttemptLimiter } from '../../platform/memory/attempt-limiter.js';
import { clientNetworkOf } from '../../platform/net/client-network.js';
import { OidcRefused } from './domain/identity-provider.js';
import { OidcSignInService } from './oidc-sign-in.service.js';
import { REFUSALS, refusalPage, type RefusalPage } from './oidc.pages.js';
import { SignInAttemptCookie } from './sign-in-attempt.cookie.js';

/** An office may be one network. Each of them may make the provider answer some requests. */
const MAX_ATTEMPTS = 60;
const MINUTE_MS = 60_000;
const MAX_NETWORKS = 10_000;
const RETRY_SECONDS = '60';

/** Sign-in with OpenID Connect. People see these responses: refusals are pages. */
@ApiExcludeController()
@Public()
@Controller('signin/oidc')
export class OidcController {
  private readonly attemptsOf: AttemptLimiter;

  constructor(
    private readonly signIn: OidcSignInService,
    private readonly attempts: SignInAttemptCookie,
    private readonly config: Config,
    clock: Clock,
  ) {
    this.attemptsOf = new AttemptLimiter(clock, MAX_ATTEMPTS, MINUTE_MS, MAX_NETWORKS);
  }

  @Get()
  @Header('Cache-Control', 'no-store')
  async begin(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.respond(request, response, async () => {
      const { url, attempt } = await this.signIn.begin();
      response.setHeader('Set-Cookie', this.attempts.cookieOf(attempt));
      return url;
    });
  }

  @Get('callback')
  @Header('Cache-Control', 'no-store')
  async callback(
    @Req() request: Request,
    @Headers('cookie') cookie: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await this.respond(request, response, async () => {
      const attempt = this.attempts.in(cookie);
      // An attempt is for one response, whatever it is.
      response.setHeader('Set-Cookie', this.attempts.noCookie);
      if (attempt === null) return REFUSALS.no_attempt;
      return this.signIn.finish(new URL(request.url, this.config.publicUrl).search, attempt);
    });
  }

  /** @param run returns the URL to which the browser is redirected, or a refusal. */
  private async respond(
    { ip = '' }: Request,
    response: Response,
    run: () => Promise<string | RefusalPage>,
  ): Promise<void> {
    const isAllowed = () => this.attemptsOf.consume(clientNetworkOf(ip)) === 0;
    const result = !this.signIn.isConfigured
      ? REFUSALS.not_configured
      : isAllowed()
        ? await run().catch(refusalOf)
        : REFUSALS.too_many;
    if (typeof result === 'string') {
      response.redirect(303, result);
      return;
    }
    if (result.status === 429 || result.status === 503) response.setHeader('Retry-After', RETRY_SECONDS);
    response.status(result.status).type('html').send(refusalPage(result, this.config.publicUrl));
  }
}

/** @throws unexpected errors. */
function refusalOf(error: unknown): RefusalPage {
  if (error instanceof OidcRefused) return REFUSALS[error.reason];
  throw error;
}
