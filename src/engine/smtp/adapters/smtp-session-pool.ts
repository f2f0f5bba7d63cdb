import type { Dialler } from '../../../platform/net/dialler.js';
import type { ConnectionLeases } from '../../limits/connection-leases.js';
import { NO_SHARED_FACTS, type SharedFacts } from '../../limits/shared-facts.js';
import { ServerLimits } from './server-limits.js';
import { MemoryConnectionLeases } from '../../limits/adapters/memory-connection-leases.js';
import type { SmtpProbeResult } from './smtp-probe-result.js';
import { HostConnectionPool, type HostConnectionPoolOptions, type Request } from './host-connection-pool.js';

export interface PoolOptions extends Omit<
  HostConnectionPoolOptions,
  'dialling' | 'leases' | 'limits' | 'rejections' | 'egressName'
> {
  /** Default: the limits apply to this process alone. */
  leases?: ConnectionLeases;
  /** Default: observed limits are not shared. */
  facts?: SharedFacts;
  egressName?: string;
  /** Maximum number of concurrent connections to one server, of all processes. */
  maxConnections: number;
  dialler: Dialler;
  port: number;
  connectTimeoutMs: number;
  /** For one reply; the banner has twice as long. */
  commandTimeoutMs: number;
}

/** Maximum number of servers with a pool. */
const MAX_POOLS = 5_000;

/** One connection pool for each server address. */
export class SmtpSessionPool {
  private readonly pools = new Map<string, HostConnectionPool>();

  private readonly options: PoolOptions & Pick<HostConnectionPoolOptions, 'leases' | 'egressName'>;
  private readonly limits: ServerLimits;

  constructor(options: PoolOptions) {
    this.options = { leases: new MemoryConnectionLeases(), egressName: 'direct', ...options };
    this.limits = new ServerLimits(options.maxConnections, options.clock, options.facts ?? NO_SHARED_FACTS);
  }

  /**
   * Probes a recipient at the server.
   *
   * @param ip must have passed the egress policy.
   * @param mxHost the MX host name; the first of several names is used for TLS.
   */
  probe(ip: string, mxHost: string, request: Request): Promise<SmtpProbeResult> {
    return this.poolFor(ip, mxHost).probe(request);
  }

  /** Closes the idle sessions of all servers. */
  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
  }

  private poolFor(ip: string, mxHost: string): HostConnectionPool {
    const { dialler, port, connectTimeoutMs, commandTimeoutMs, ...options } = this.options;
    const dialling = { dialler, ip, port, mxHost, connectTimeoutMs, commandTimeoutMs };
    const known = this.limits.for(options.egressName, ip);
    const pool = this.pools.get(ip) ?? new HostConnectionPool({ ...options, ...known, dialling });
    // The map is ordered by last use.
    this.pools.delete(ip);
    this.pools.set(ip, pool);
    if (this.pools.size > MAX_POOLS) this.removeUnused();
    return pool;
  }

  private removeUnused(): void {
    for (const [ip, pool] of this.pools) {
      if (!pool.isUnused) continue;
      this.pools.delete(ip);
      return;
    }
  }
}
