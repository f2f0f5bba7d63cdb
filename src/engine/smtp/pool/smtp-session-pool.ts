import type { Dialler } from '../../../platform/net/dialler.js';
import type { SharedState } from '../../limits/shared-state.js';
import { RECIPIENTS_PER_SESSION } from './learned-limits.js';
import { ServerLimits, type KnownServer } from './server-limits.js';
import { PROVIDER_PREFIX, type Provider, type Providers } from '../../providers/session-limits.js';
import type { SmtpProbeResult } from '../protocol/smtp-probe-result.js';
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
   * @param ip must have passed the address policy. It has one pool, whatever names lead there, so that its limit
   *   holds over all of them.
   * @param mxHost the MX host name, for TLS, and for the provider.
   */
  probe(ip: string, mxHost: string, request: Request): Promise<SmtpProbeResult> {
    return this.poolFor(ip, mxHost).probe(request);
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
  }

  private poolFor(ip: string, mxHost: string): HostConnectionPool {
    const provider = this.options.providers.of(mxHost);
    const pool = this.pools.get(ip) ?? this.create(ip, mxHost, provider);
    // The map is ordered by last use.
    this.pools.delete(ip);
    this.pools.set(ip, pool);
    if (mayMove(pool, provider)) {
      this.releaseConnections(pool.provider.name);
      this.configure(ip, provider);
      pool.moveTo(this.connectionsOf(provider), mxHost);
    }
    if (this.pools.size > MAX_POOLS) this.removeUnused();
    return pool;
  }

  private create(ip: string, mxHost: string, provider: Provider): HostConnectionPool {
    const { dialler, port, connectTimeoutMs, commandTimeoutMs, ...options } = this.options;
    const dialling = { dialler, ip, port, mxHost, connectTimeoutMs, commandTimeoutMs };
    const { limits, rejections } = this.configure(ip, provider);
    const pool = { ...options, limits, rejections, dialling, provider: this.connectionsOf(provider) };
    return new HostConnectionPool(pool);
  }

  private configure(ip: string, { connectionsPerHost, recipientsPerConnection }: Provider): KnownServer {
    const known = this.limits.for(this.options.egressName, ip);
    const recipients = recipientsPerConnection ?? RECIPIENTS_PER_SESSION;
    known.limits.configured = { connections: connectionsPerHost, recipients };
    return known;
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

  private releaseConnections(provider: string): void {
    const known = this.connections.get(provider);
    if (known !== undefined && --known.pools === 0) this.connections.delete(provider);
  }

  private removeUnused(): void {
    for (const [ip, pool] of this.pools) {
      if (!pool.isUnused) continue;
      this.pools.delete(ip);
      this.releaseConnections(pool.provider.name);
      return;
    }
  }
}

/**
 * Whether the server is counted for this provider from now on. An address that a name of a known provider leads
 * to belongs to it, whatever other names lead there. Names of others are chosen by strangers: one of these
 * changes nothing while a session is open.
 */
function mayMove({ provider, isClosed }: HostConnectionPool, { name, isUnknown }: Provider): boolean {
  if (name === provider.name) return false;
  return provider.isUnknown ? !isUnknown || isClosed : !isUnknown && isClosed;
}
