import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../kernel/clock.js';
import { RateLimited } from '../../../kernel/errors.js';
import { Config } from '../../../platform/config/config.js';
import { AttemptLimiter } from '../../../platform/memory/attempt-limiter.js';
import { clientNetworkOf } from '../../../platform/net/client-network.js';

const HOUR_MS = 3_600_000;
const MAX_SOURCES = 10_000;
const SIGNUPS = 'The network of this client has sent as many sign-ups as are allowed in an hour.';

/** Limits sign-up calls per hour, route and source, whatever their result. */
@Injectable()
export class PublicCallsGuard implements CanActivate {
  private readonly attempts: AttemptLimiter;

  constructor({ signup }: Config, clock: Clock) {
    this.attempts = new AttemptLimiter(clock, signup.perHour, HOUR_MS, MAX_SOURCES);
  }

  canActivate(context: ExecutionContext): boolean {
    const { ip = '' } = context.switchToHttp().getRequest<Request>();
    const waitMs = this.attempts.consume(`${context.getHandler().name} ${clientNetworkOf(ip)}`);
    if (waitMs > 0) throw new RateLimited(waitMs / 1000, SIGNUPS);
    return true;
  }
}
