import type { Config } from '../../../../platform/config/config.js';
import { LimitedByNetwork } from '../../../../platform/http/request/limited-by-network.js';
import { HOUR_MS } from '../../../../kernel/durations.js';

/** Limits sign-up calls per hour, route and network, whatever their result. */
export const LimitedPublicCalls = () =>
  LimitedByNetwork(
    ({ signup }: Config) => ({ ofNetwork: signup.perHour, windowMs: HOUR_MS }),
    'The network of this client has sent as many sign-ups as are allowed in an hour.',
  );
