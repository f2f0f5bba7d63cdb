import { KeyedLimiter } from '../../../kernel/concurrency/keyed-limiter.js';
import { clientNetworkOf } from '../../net/client-network.js';
import type { AuthenticatedRequest } from '../request/request-log.js';

/** Bytes of bodies that are being received, per process, with separate limits for unauthenticated clients and teams. */
const UNAUTHENTICATED = new KeyedLimiter({ total: 16_000_000, perKey: 2_000_000 });
const TEAMS = new KeyedLimiter({ total: 64_000_000, perKey: 8_000_000 });
/** Of bodies that may be larger and take longer, so that they leave room for those of single calls. */
const LONG = new KeyedLimiter({ total: 64_000_000, perKey: 8_000_000 });

export interface BodyMemory {
  memory: KeyedLimiter;
  /** The key in `memory`: a team or a client network. */
  requester: string;
}

export function memoryFor({ principal, ip = '' }: AuthenticatedRequest, isLong = false): BodyMemory {
  return principal === undefined
    ? { memory: UNAUTHENTICATED, requester: clientNetworkOf(ip) }
    : { memory: isLong ? LONG : TEAMS, requester: principal.teamId };
}
