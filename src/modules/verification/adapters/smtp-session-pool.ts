import type { Dialler } from '../../../platform/net/dialler.js';
import type { SmtpProbeResult } from './smtp-probe-result.js';
import { HostConnectionPool, type HostConnectionPoolOptions, type Request } from './host-connection-pool.js';

export interface PoolOptions extends Omit<HostConnectionPoolOptions, 'dialling'> {
  dialler: Dialler;
  port: number;
  connectTimeoutMs: number;
  /** For one reply; a greeting has twice as long. */
  commandTimeoutMs: number;
}

/** What is remembered of servers beyond these is forgotten. */
const MOST_POOLS = 5_000;

/** The sessions with all servers, one lane for each address that is dialled. */
export class SmtpSessionPool {
  private readonly pools = new Map<string, HostConnectionPool>();

  constructor(private readonly options: PoolOptions) {}

  /**
   * Asks the server at an address.
   *
   * @param ip may be dialled; whoever calls has asked the egress filter.
   * @param mxHost the name that led there; the first of several is the one that TLS is asked for.
   */
  ask(ip: string, mxHost: string, request: Request): Promise<SmtpProbeResult> {
    return this.poolFor(ip, mxHost).ask(request);
  }

  /** Says goodbye to all servers. */
  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((lane) => lane.close()));
  }

  private poolFor(ip: string, mxHost: string): HostConnectionPool {
    const { dialler, port, connectTimeoutMs, commandTimeoutMs, ...options } = this.options;
    const dialling = { dialler, ip, port, mxHost, connectTimeoutMs, commandTimeoutMs };
    const lane = this.pools.get(ip) ?? new HostConnectionPool({ ...options, dialling });
    // The order of the map is that of their last use.
    this.pools.delete(ip);
    this.pools.set(ip, lane);
    if (this.pools.size > MOST_POOLS) this.removeQuietest();
    return lane;
  }

  private removeQuietest(): void {
    for (const [ip, lane] of this.pools) {
      if (!lane.isQuiet) continue;
      this.pools.delete(ip);
      return;
    }
  }
}
