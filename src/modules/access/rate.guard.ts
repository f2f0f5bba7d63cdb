import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import type { Principal } from '../../kernel/principal.js';
import { RateLimited } from '../../kernel/rate-limited.js';
import type { AuthenticatedRequest } from '../../platform/http/request-log.js';
import { TiersService } from '../tiers/tiers.service.js';
import { UsageService } from '../usage/usage.service.js';
import { limitField, policyField, type Policy } from './domain/rate-fields.js';
import { RateLimiter, type RateDecision } from './domain/rate-limiter.js';

const DAY_SECONDS = 86_400;

/** A request with its rate decision. */
interface CountedRequest extends AuthenticatedRequest {
  burst?: RateDecision;
}

/** One bucket per team for all its live keys, and one for its test keys. */
const bucketOf = ({ teamId, mode }: Principal) => `${teamId}:${mode}`;

/**
 * Adds the rate-limit headers to every response for an authenticated caller. It runs before the other
 * guards and allows every request, so that their refusals carry the headers too.
 */
@Injectable()
export class RateHeaders implements CanActivate {
  constructor(
    private readonly tiers: TiersService,
    private readonly limiter: RateLimiter,
    private readonly usage: UsageService,
  ) {}

  /** Adds the headers when the response ends, after the call was charged. */
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<CountedRequest>();
    const response = http.getResponse<Response>();
    const end = response.end.bind(response) as (...rest: unknown[]) => Response;
    const endWithHeaders = (...rest: unknown[]) => {
      if (request.principal === undefined || response.headersSent) return end(...rest);
      // A failure to add the headers must not block the response.
      void this.put(request, response)
        .catch(() => undefined)
        .then(() => end(...rest));
      return response;
    };
    response.end = endWithHeaders as typeof response.end;
    return true;
  }

  async put(request: CountedRequest, response: Response): Promise<void> {
    const { principal } = request;
    if (principal === undefined) return;
    set(response, [await this.burst(principal, request), await this.daily(principal)]);
  }

  /** A request that was refused before it was counted does not take from the bucket. */
  private async burst(principal: Principal, { burst }: CountedRequest): Promise<Policy | null> {
    const { rate } = this.tiers.get(principal.tier);
    if (rate === null) return null;
    const decision = burst ?? (await this.limiter.peek(bucketOf(principal), rate));
    // Together with `Retry-After`, `t` has the same value: the time until the next request is allowed.
    const state = decision.allowed
      ? decision
      : { remaining: 0, resetAfterSeconds: decision.retryAfterSeconds };
    return { name: 'burst', quota: rate.burst, windowSeconds: rate.burst / rate.perSecond, state };
  }

  private async daily(principal: Principal): Promise<Policy | null> {
    const { perDay } = this.tiers.get(principal.tier);
    if (perDay === null || principal.mode === 'test') return null;
    const known = await this.usage.remaining(principal).catch(() => null);
    return {
      name: 'daily',
      quota: perDay,
      windowSeconds: DAY_SECONDS,
      state: known && { remaining: known.remaining ?? 0, resetAfterSeconds: known.resetsInSeconds },
    };
  }
}

function set(response: Response, found: readonly (Policy | null)[]): void {
  const policies = found.filter((policy) => policy !== null);
  if (policies.length === 0 || response.headersSent) return;
  const fields = { 'RateLimit-Policy': policyField(policies), RateLimit: limitField(policies) };
  // An empty list has no field (RFC 9651 §3.1).
  for (const [name, value] of Object.entries(fields)) if (value !== '') response.setHeader(name, value);
}

/** Limits the request rate. Every request of an authenticated caller counts, whatever its result. */
@Injectable()
export class RateGuard implements CanActivate {
  constructor(
    private readonly tiers: TiersService,
    private readonly limiter: RateLimiter,
    private readonly headers: RateHeaders,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<CountedRequest>();
    const { principal } = request;
    if (principal === undefined) return true;
    const { rate } = this.tiers.get(principal.tier);
    if (rate !== null) request.burst = await this.limiter.take(bucketOf(principal), rate);
    // A streamed response sends its headers before it ends.
    await this.headers.put(request, http.getResponse<Response>());
    if (request.burst?.allowed === false) throw new RateLimited(request.burst.retryAfterSeconds);
    return true;
  }
}
