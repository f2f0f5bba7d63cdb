import type { Clock } from '../../../src/kernel/clock.js';
import { NO_SHARED_PERMITS } from '../../../src/engine/limits/connection-permits.js';
import { NO_SHARED_STATE } from '../../../src/engine/limits/shared-state.js';
import type { PoolOptions } from '../../../src/engine/smtp/pool/smtp-session-pool.js';
import { Providers } from '../../../src/engine/providers/session-limits.js';
import { DirectDialler } from '../../../src/platform/net/dialler.js';

/** Pools of a process that shares nothing, with scripted servers; each host is a provider. */
export function poolOptions(
  port: number,
  clock: Clock,
  { maxConnections = 4, ...more }: Partial<PoolOptions> & { maxConnections?: number } = {},
): PoolOptions {
  return {
    clock,
    port,
    dialler: new DirectDialler(),
    heloName: 'verify.rcpt.test',
    mailFrom: 'verify@rcpt.test',
    connectTimeoutMs: 1_000,
    commandTimeoutMs: 2_000,
    egressName: 'direct',
    permits: NO_SHARED_PERMITS,
    sharedState: NO_SHARED_STATE,
    providers: new Providers({ connectionsPerHost: maxConnections, registrableOf: (host) => host }),
    ...more,
  };
}
