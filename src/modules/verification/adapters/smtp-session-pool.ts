import type { Dialler } from '../../../platform/net/dialler.js';
import type { SmtpProbeResult } from './smtp-probe-result.js';
import { HostConnectionPool, type HostConnectionPoolOptions, type Request } from './host-connection-pool.js';

export interface PoolOptions extends Omit<HostConnectionPoolOptions, 'dialling'> {
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

  constructor(private readonly options: PoolOptions) {}

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
    const pool = this.pools.get(ip) ?? new HostConnectionPool({ ...options, dialling });
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
