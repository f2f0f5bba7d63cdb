import type { Clock } from '../../../kernel/clock.js';
import type { Dialler } from '../../../platform/net/dialler.js';
import type { ConnectionPermits } from '../../limits/connection-permits.js';
import type { EgressTotal } from '../../limits/egress-total.js';
import type { SharedState } from '../../limits/shared-state.js';
import type { Provider, Providers } from '../../providers/session-limits.js';
import type { SmtpProbeResult } from '../protocol/smtp-probe-result.js';
import type { Identity } from '../protocol/smtp-conversation.js';
import { KnownServers } from './known-servers.js';
import type { Request } from './pool-request.js';
import { ProviderPool, type BlockedRequests } from './provider-pool.js';
import { ServerAddress } from './server-address.js';

export interface PoolOptions extends Identity {
  clock: Clock;
  /** The name of the egress route. */
  egressName: string;
  permits: ConnectionPermits;
  /** Of the connections of the egress; default: it has no limit of its own. */
  egressTotal?: Pick<EgressTotal, 'acquire'> | null;
  sharedState: SharedState;
  providers: Providers;
  dialler: Dialler;
  port: number;
  connectTimeoutMs: number;
  /** For one reply; the banner has twice as long. */
  commandTimeoutMs: number;
  idleMs?: number;
  /** Called now and then while requests wait for a session. */
  onBlocked?: ((blocked: BlockedRequests) => void) | undefined;
}

const MAX_ADDRESSES = 5_000;

/** The sessions of one egress: a pool for each provider. */
export class SmtpSessionPool {
  private readonly addresses = new Map<string, ServerAddress>();
  private readonly pools = new Map<string, ProviderPool>();
  private readonly known: KnownServers;

  constructor(private readonly options: PoolOptions) {
    this.known = new KnownServers(options.clock, options.sharedState);
  }

  /**
   * Probes a recipient at the server.
   *
   * @param ip must have passed the address policy. It belongs to one provider, whatever names lead there, so that
   *   its limit holds over all of them.
   * @param mxHost the MX host name, for TLS, and for the provider.
   */
  probe(ip: string, mxHost: string, request: Request): Promise<SmtpProbeResult> {
    return this.addressFor(ip, mxHost).probe(request);
  }

  /** The sessions that the provider was seen to allow; Infinity: no limit is known. */
  learnedConnections(provider: string): number {
    return this.known.connectionsAt(this.options.egressName, provider);
  }

  async close(): Promise<void> {
    await Promise.all([...this.addresses.values()].map(({ connections }) => connections.close()));
  }

  private addressFor(ip: string, mxHost: string): ServerAddress {
    const provider = this.options.providers.of(mxHost);
    const address = this.addresses.get(ip) ?? this.create(ip, mxHost, provider);
    // The map is ordered by last use.
    this.addresses.delete(ip);
    this.addresses.set(ip, address);
    if (mayMove(address, provider)) {
      this.removeFromPool(address);
      const pool = this.poolOf(provider);
      address.moveTo(pool, mxHost);
      pool.add(address);
    }
    if (this.addresses.size > MAX_ADDRESSES) this.removeUnused();
    return address;
  }

  private create(ip: string, mxHost: string, provider: Provider): ServerAddress {
    const { dialler, port, connectTimeoutMs, commandTimeoutMs, egressName, ...options } = this.options;
    const dialling = { dialler, ip, port, mxHost, connectTimeoutMs, commandTimeoutMs };
    const pool = this.poolOf(provider);
    const address = new ServerAddress(pool, { ...options, dialling, known: this.known.of(egressName, ip) });
    pool.add(address);
    return address;
  }

  private poolOf(provider: Provider): ProviderPool {
    const { name } = provider;
    const { clock, egressName, permits, egressTotal = null, onBlocked } = this.options;
    const { limits } = this.known.of(egressName, name);
    const pool =
      this.pools.get(name) ??
      new ProviderPool(provider, { clock, egressName, permits, egressTotal, limits, onBlocked });
    this.pools.set(name, pool);
    return pool;
  }

  private removeFromPool(address: ServerAddress): void {
    const { pool } = address;
    pool.remove(address);
    if (pool.isEmpty) this.pools.delete(pool.provider.name);
  }

  private removeUnused(): void {
    for (const [ip, address] of this.addresses) {
      if (!address.isUnused) continue;
      this.addresses.delete(ip);
      this.removeFromPool(address);
      return;
    }
  }
}

/**
 * Whether the address is counted for this provider from now on. An address that a name of a known provider leads
 * to belongs to it, whatever other names lead there. Names of others are chosen by strangers: one of these
 * changes nothing while a session is open.
 */
function mayMove({ pool, connections }: ServerAddress, { name, isUnknown }: Provider): boolean {
  const { provider } = pool;
  const { held } = connections;
  if (name === provider.name) return false;
  return provider.isUnknown ? !isUnknown || held === 0 : !isUnknown && held === 0;
}
