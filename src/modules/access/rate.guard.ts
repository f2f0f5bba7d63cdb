import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import type { Principal } from '../../kernel/principal.js';
import { RateLimited } from '../../kernel/rate-limited.js';
import { then, type Soon } from '../../kernel/soon.js';
import type { AuthenticatedRequest } from '../../platform/http/request-log.js';
import { TiersService } from '../tiers/tiers.service.js';
import { UsageService } from '../usage/usage.service.js';
import { limitField, policyField, type Policy } from './domain/rate-fields.js';
import { RateLimiter, type RateDecision } from './domain/rate-limiter.js';

const DAY_SECONDS = 86_400;

/** A request that has been counted. */
interface CountedRequest extends AuthenticatedRequest {
  burst?: RateDecision;
}

/** The team's bucket, whatever the number of its keys; test keys have one of their own. */
const bucketOf = ({ teamId, mode }: Principal) => `${teamId}:${mode}`;

/**
 * What the team may do and has left, as every answer to a known caller tells it.
 * Stands before the other guards, and lets everybody through: a call that one of
 * them refuses is answered too.
 */
@Injectable()
export class RateHeaders implements CanActivate {
  constructor(
    private readonly tiers: TiersService,
    private readonly limiter: RateLimiter,
    private readonly usage: UsageService,
  ) {}

  /** Puts them on at the last moment: what the call cost is charged by then, whichever way it ended. */
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<CountedRequest>();
    const response = http.getResponse<Response>();
    const end = response.end.bind(response) as (...rest: unknown[]) => Response;
    const endWithHeaders = (...rest: unknown[]) => {
      if (request.principal === undefined || response.headersSent) return end(...rest);
      const put = this.putAtLast(request, response);
      if (!(put instanceof Promise)) return end(...rest);
      void put.then(() => end(...rest));
      return response;
    };
    response.end = endWithHeaders as typeof response.end;
    return true;
  }

  put(request: CountedRequest, response: Response): Soon<void> {
    const { principal } = request;
    if (principal === undefined) return;
    return then(this.burst(principal, request), (burst) =>
      then(this.daily(principal), (daily) => set(response, [burst, daily])),
    );
  }

  /** A header that cannot be had is no reason to keep an answer back. */
  private putAtLast(request: CountedRequest, response: Response): Soon<void> {
    try {
      const put = this.put(request, response);
      return put instanceof Promise ? put.catch(() => undefined) : put;
    } catch {
      return undefined;
    }
  }

  /** A call that was refused before it was counted is not counted for the sake of its headers. */
  private burst(principal: Principal, { burst }: CountedRequest): Soon<Policy | null> {
    const { rate } = this.tiers.get(principal.tier);
    if (rate === null) return null;
    return then(burst ?? this.limiter.peek(bucketOf(principal), rate), (decision) => {
      // With `Retry-After` beside it, `t` says the same: when the next call is welcome, not when all of it is there.
      const standing = decision.allowed
        ? decision
        : { remaining: 0, resetAfterSeconds: decision.retryAfterSeconds };
      return { name: 'burst', quota: rate.burst, windowSeconds: rate.burst / rate.perSecond, standing };
    });
  }

  private daily(principal: Principal): Soon<Policy | null> {
    const { perDay } = this.tiers.get(principal.tier);
    if (perDay === null || principal.mode === 'test') return null;
    const left = this.usage.remaining(principal);
    const known = left instanceof Promise ? left.catch(() => null) : left;
    return then(known, (known) => ({
      name: 'daily',
      quota: perDay,
      windowSeconds: DAY_SECONDS,
      standing: known && { remaining: known.remaining ?? 0, resetAfterSeconds: known.resetsInSeconds },
    }));
  }
}

function set(response: Response, found: readonly (Policy | null)[]): void {
  const policies = found.filter((policy) => policy !== null);
  if (policies.length === 0 || response.headersSent) return;
  const fields = { 'RateLimit-Policy': policyField(policies), RateLimit: limitField(policies) };
  // An empty list is no field (RFC 9651 §3.1).
  for (const [name, value] of Object.entries(fields)) if (value !== '') response.setHeader(name, value);
}

/** Too fast? Every call of a known caller counts, whatever comes of it. */
@Injectable()
export class RateGuard implements CanActivate {
  constructor(
    private readonly tiers: TiersService,
    private readonly limiter: RateLimiter,
    private readonly headers: RateHeaders,
  ) {}

  canActivate(context: ExecutionContext): Soon<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<CountedRequest>();
    const { principal } = request;
    if (principal === undefined) return true;
    const { rate } = this.tiers.get(principal.tier);
    const taken = rate === null ? undefined : this.limiter.take(bucketOf(principal), rate);
    return then(taken, (burst) => {
      request.burst = burst;
      // For an answer that is streamed: its headers are gone before it ends.
      return then(this.headers.put(request, http.getResponse<Response>()), () => {
        if (burst?.allowed === false) throw new RateLimited(burst.retryAfterSeconds);
        return true;
      });
    });
  }
}
