import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../kernel/clock.js';
import { RateLimited } from '../../kernel/errors.js';
import { AttemptLimiter } from '../../platform/memory/attempt-limiter.js';
import { clientNetworkOf } from '../../platform/net/client-network.js';

/** An office may be one network, and a page is opened more than once. */
const MAX_READS = 60;
const MINUTE_MS = 60_000;
const MAX_NETWORKS = 10_000;
const READS = 'The network of this client has read as many invites as are allowed in a minute.';

/** Limits how often a network reads invites. Nobody can guess a token; this bounds what strangers cost. */
@Injectable()
export class InviteOffersGuard implements CanActivate {
  private readonly reads: AttemptLimiter;

  constructor(clock: Clock) {
    this.reads = new AttemptLimiter(clock, MAX_READS, MINUTE_MS, MAX_NETWORKS);
  }

  canActivate(context: ExecutionContext): boolean {
    const { ip = '' } = context.switchToHttp().getRequest<Request>();
    const waitMs = this.reads.consume(clientNetworkOf(ip));
    if (waitMs > 0) throw new RateLimited(waitMs / 1000, READS);
    return true;
  }
}
