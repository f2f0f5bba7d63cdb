import { Injectable, mixin, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../kernel/clock.js';
import { RateLimited } from '../../../kernel/errors.js';
import { Config } from '../../config/config.js';
import { NetworkLimiter, type NetworkLimits } from '../../memory/network-limiter.js';

/**
 * Limits the requests of a network to a route, or to all routes of a controller together, whatever their result.
 *
 * @param limits or how they follow from the configuration. @param sentence what the client is told.
 */
export function LimitedByNetwork(
  limits: NetworkLimits | ((config: Config) => NetworkLimits),
  sentence: string,
): ClassDecorator & MethodDecorator {
  @Injectable()
  class NetworkGuard implements CanActivate {
    private readonly limiter: NetworkLimiter;

    constructor(clock: Clock, config: Config) {
      this.limiter = new NetworkLimiter(clock, typeof limits === 'function' ? limits(config) : limits);
    }

    canActivate(context: ExecutionContext): boolean {
      const { ip = '' } = context.switchToHttp().getRequest<Request>();
      const waitMs = this.limiter.consume(ip);
      if (waitMs > 0) throw new RateLimited(waitMs / 1_000, sentence);
      return true;
    }
  }
  return UseGuards(mixin(NetworkGuard));
}
