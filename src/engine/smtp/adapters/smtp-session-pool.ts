import type { Dialler } from '../../../platform/net/dialler.js';
import type { SharedState } from '../../limits/shared-state.js';
import { ServerLimits } from './server-limits.js';
import { PROVIDER_PREFIX, type Provider, type Providers } from '../providers.js';
import type { SmtpProbeResult } from './smtp-probe-result.js';
import { HostConnectionPool, type HostConnectionPoolOptions } from './host-connection-pool.js';
import type { Request } from './pool-request.js';
import { ProviderConnections } from './provider-connections.js';

export interface PoolOptions extends Omit<
  HostConnectionPoolOptions,
  'dialling' | 'limits' | 'rejections' | 'provider'
> {
  sharedState: SharedState;
  providers: Providers;
  dialler: Dialler;
  port: number;
  connectTimeoutMs: number;
  /** For one reply; the banner has twice as long. */
  commandTimeoutMs: number;
}

const MAX_POOLS = 5_000;

export class SmtpSessionPool {
  private readonly pools = new Map<string, HostConnectionPool>();
  /** With the number of their pools. */
  private readonly connections = new Map<string, { provider: ProviderConnections; pools: number }>();
  private readonly limits: ServerLimits;

  constructor(private readonly options: PoolOptions) {
    this.limits = new ServerLimits(options.clock, options.sharedState);
  }

  /**
   * Probes a recipient at the server.
   *
   * @param ip must have passed the egress policy.
   * @param mxHost the MX host name; the first of several names is used for TLS, and for the provider.
   */
  probe(ip: string, mxHost: string, request: Request): Promise<SmtpProbeResult> {
    return this.poolFor(ip, mxHost).probe(request);
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
  }

  private poolFor(ip: string, mxHost: string): HostConnectionPool {
    const pool = this.pools.get(ip) ?? this.create(ip, mxHost);
    // The map is ordered by last use.
    this.pools.delete(ip);
    this.pools.set(ip, pool);
    if (this.pools.size > MAX_POOLS) this.removeUnused();
    return pool;
  }

  private create(ip: string, mxHost: string): HostConnectionPool {
    const { dialler, port, connectTimeoutMs, commandTimeoutMs, ...options } = this.options;
    const dialling = { dialler, ip, port, mxHost, connectTimeoutMs, commandTimeoutMs };
    const provider = this.options.providers.of(mxHost);
    const { limits, rejections } = this.limits.for(options.egressName, ip);
    const { connectionsPerHost: connections, recipientsPerConnection: recipients } = provider;
    limits.configured = { connections, recipients: recipients ?? limits.configured.recipients };
    const pool = { ...options, limits, rejections, dialling, provider: this.connectionsOf(provider) };
    return new HostConnectionPool(pool);
  }

  private connectionsOf(provider: Provider): ProviderConnections {
    const { name } = provider;
    const { egressName, permits, clock } = this.options;
    const { limits } = this.limits.for(egressName, `${PROVIDER_PREFIX}${name}`);
    const known = this.connections.get(name) ?? {
      provider: new ProviderConnections(provider, egressName, limits, permits, clock),
      pools: 0,
    };
    known.pools += 1;
    this.connections.set(name, known);
    return known.provider;
  }

  private removeUnused(): void {
    for (const [ip, pool] of this.pools) {
      if (!pool.isUnused) continue;
      this.pools.delete(ip);
      const known = this.connections.get(pool.provider);
      if (known !== undefined && --known.pools === 0) this.connections.delete(pool.provider);
      return;
    }
  }
}
