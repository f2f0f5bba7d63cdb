import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { AttemptLimiter } from '../../platform/memory/attempt-limiter.js';
import { NetworkLimiter } from '../../platform/memory/network-limiter.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Of one network, which may be the servers of an assistant with many users. */
const CALLS_IN_MINUTE = 120;
const MAX_NETWORKS = 10_000;
/** Each is a row that is stored for an hour. */
const AUTHORIZATIONS = { ofNetwork: 120, inAll: 5_000, windowMs: HOUR_MS };
/** Each is a row that is stored for a day at least. */
const REGISTRATIONS = { ofNetwork: 20, inAll: 500, windowMs: HOUR_MS };

/** What strangers may do, in this process. Each method returns 0, or the milliseconds to wait. */
@Injectable()
export class OAuthLimitsService {
  private readonly calls: AttemptLimiter;
  private readonly authorizations: NetworkLimiter;
  private readonly registrations: NetworkLimiter;

  constructor(clock: Clock) {
    this.calls = new AttemptLimiter(clock, CALLS_IN_MINUTE, MINUTE_MS, MAX_NETWORKS);
    this.authorizations = new NetworkLimiter(clock, AUTHORIZATIONS);
    this.registrations = new NetworkLimiter(clock, REGISTRATIONS);
  }

  call(network: string): number {
    return this.calls.consume(network);
  }

  authorization(network: string): number {
    return this.authorizations.consume(network);
  }

  registration(network: string): number {
    return this.registrations.consume(network);
  }
}
