import { Injectable, type CanActivate, type ExecutionContext, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, onSendHookHandler } from 'fastify';
import type { Principal } from '../../kernel/language.js';
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

/** What the team may do and has left, as every answer to a known caller tells it. */
@Injectable()
export class RateHeaders implements OnModuleInit {
  constructor(
    private readonly tiers: TiersService,
    private readonly limiter: RateLimiter,
    private readonly usage: UsageService,
    private readonly http: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    // The command line has this too, and answers nobody.
    this.http.httpAdapter?.getInstance<FastifyInstance>().addHook('onSend', this.onSend);
  }

  /** At the last moment: what the call cost is charged by then, whichever way it ended. */
  private readonly onSend: onSendHookHandler = (request, reply, payload, done) => {
    const put = this.put(request, reply);
    if (put instanceof Promise) void put.then(() => done(null, payload));
    else done(null, payload);
  };

  /** A header that cannot be had is no reason to keep an answer back. */
  private put(request: CountedRequest, reply: FastifyReply): Soon<void> {
    const { principal } = request;
    if (principal === undefined) return;
    try {
      const put = then(this.burst(principal, request), (burst) =>
        then(this.daily(principal), (daily) => set(reply, [burst, daily])),
      );
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

function set(reply: FastifyReply, found: readonly (Policy | null)[]): void {
  const policies = found.filter((policy) => policy !== null);
  if (policies.length === 0) return;
  const fields = { 'RateLimit-Policy': policyField(policies), RateLimit: limitField(policies) };
  // An empty list is no field (RFC 9651 §3.1).
  for (const [name, value] of Object.entries(fields)) if (value !== '') reply.header(name, value);
}

/** Too fast? Every call of a known caller counts, whatever comes of it. */
@Injectable()
export class RateGuard implements CanActivate {
  constructor(
    private readonly tiers: TiersService,
    private readonly limiter: RateLimiter,
  ) {}

  canActivate(context: ExecutionContext): Soon<boolean> {
    const request = context.switchToHttp().getRequest<CountedRequest>();
    const { principal } = request;
    if (principal === undefined) return true;
    const { rate } = this.tiers.get(principal.tier);
    if (rate === null) return true;
    return then(this.limiter.take(bucketOf(principal), rate), (burst) => {
      request.burst = burst;
      if (!burst.allowed) throw new RateLimited(burst.retryAfterSeconds);
      return true;
    });
  }
}
