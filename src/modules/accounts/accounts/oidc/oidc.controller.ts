import { Controller, Get, Header, Headers, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Clock } from '../../../../kernel/clock.js';
import { Config } from '../../../../platform/config/config.js';
import { Public } from '../../../../platform/http/request/route-policy.js';
import { NetworkLimiter } from '../../../../platform/memory/network-limiter.js';
import { OidcRefused } from '../domain/identity-provider.js';
import { OidcSignInService } from './oidc-sign-in.service.js';
import { SignInAttemptCookie } from './sign-in-attempt.cookie.js';

/** An office may be one network. Each of them may make the provider answer some requests. */
const ATTEMPTS = { ofNetwork: 60, windowMs: 60_000 };

/**
 * Sign-in with OpenID Connect. A browser follows these responses, so each is a redirect to the console, which says why
 * somebody is not signed in. The code of the refusal is all that it gets: a link cannot show a text of somebody else.
 */
@ApiExcludeController()
@Public()
@Controller('signin/oidc')
export class OidcController {
  private readonly attemptsOf: NetworkLimiter;

  constructor(
    private readonly signIn: OidcSignInService,
    private readonly attempts: SignInAttemptCookie,
    private readonly config: Config,
    clock: Clock,
  ) {
    this.attemptsOf = new NetworkLimiter(clock, ATTEMPTS);
  }

  @Get()
  @Header('Cache-Control', 'no-store')
  async begin(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.redirect(request, response, async () => {
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
    await this.redirect(request, response, async () => {
      const attempt = this.attempts.in(cookie);
      // An attempt is for one response, whatever it is.
      response.setHeader('Set-Cookie', this.attempts.noCookie);
      if (attempt === null) throw new OidcRefused('no_attempt');
      return this.signIn.finish(new URL(request.url, this.config.publicUrl).search, attempt);
    });
  }

  /** @param run returns the URL of the next page. */
  private async redirect(request: Request, response: Response, run: () => Promise<string>): Promise<void> {
    const url = await this.allowed(request, run).catch((error: unknown) => {
      if (!(error instanceof OidcRefused)) throw error;
      return `${this.config.publicUrl}/console#refused=${error.reason}`;
    });
    response.redirect(303, url);
  }

  private async allowed({ ip = '' }: Request, run: () => Promise<string>): Promise<string> {
    if (!this.signIn.isConfigured) throw new OidcRefused('not_configured');
    if (this.attemptsOf.consume(ip) > 0) throw new OidcRefused('too_many');
    return run();
  }
}
