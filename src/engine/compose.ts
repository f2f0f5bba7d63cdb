import type { Clock } from '../kernel/clock.js';
import type { Lifecycle } from '../kernel/service-state/lifecycle.js';
import type { Meter } from '../kernel/meter.js';
import type { Config } from '../platform/config/config.js';
import { CatchAllCache } from './catch-all.js';
import { DnsClient } from './dns/adapters/dns-client.js';
import { DnsMxResolver } from './dns/adapters/dns-mx-resolver.js';
import { ResolverCheck, type ResolverEvents } from './dns/adapters/dns-resolver-check.js';
import { SmtpEgresses } from './egress/adapters/smtp-egresses.js';
import { Breakers } from './egress/breakers.js';
import { EgressWarmup } from './egress/egress-warmup.js';
import type { WarmupStore } from './egress/warmup-store.js';
import { DomainLookUp } from './domain-look-up.js';
import { Engine } from './engine.js';
import { NO_SHARED_PERMITS, type ConnectionPermits } from './limits/connection-permits.js';
import { NO_SHARED_STATE, type SharedState } from './limits/shared-state.js';
import { ListWindows } from './list-windows.js';
import { CurrentDomainLists, registrableOf } from './lists/adapters/domain-lists.js';
import type { ListFiles } from './lists/list-files.js';
import type { BlockedRequests } from './smtp/pool/provider-pool.js';
import { Providers, type ProviderChange } from './providers/session-limits.js';

/** What the processes of an installation share about mail servers. */
export interface Shared {
  permits: ConnectionPermits;
  state: SharedState;
  /** Hashes an address before it is shared. */
  hashOf: (key: string) => string;
  warmup: WarmupStore;
}

export interface EngineEvents extends ResolverEvents {
  /** Called now and then while requests wait for a session. */
  onBlocked?: (blocked: BlockedRequests) => void;
  /** A check failed with an internal error, which its caller receives as a verdict. */
  onInternalError?: (error: unknown) => void;
  /** The counters of new egresses cannot be read: large providers are not probed through them. */
  onWarmupError?: (error: unknown) => void;
}

export interface ComposeOptions {
  config: Config;
  clock: Clock;
  meter: Meter;
  lifecycle: Lifecycle;
  /** The lists of disposable domains. */
  lists: ListFiles;
  /** By provider, from `PROVIDERS_FILE`; default: the table as it is. */
  providerChanges?: ReadonlyMap<string, ProviderChange> | undefined;
  /** null: the process is alone, as a run of the command line and the library are. */
  shared: Shared | null;
  events?: EngineEvents;
}

/** An engine, and those of its parts that others use by themselves. */
export class ComposedEngine {
  constructor(
    readonly engine: Engine,
    readonly domains: DomainLookUp,
    readonly windows: ListWindows,
    readonly catchAll: CatchAllCache,
    readonly resolvers: ResolverCheck,
    readonly providers: Providers,
    readonly breakers: Breakers,
    readonly warmup: EgressWarmup,
    readonly egresses: SmtpEgresses,
    private readonly shared: Shared | null,
  ) {}

  /** Closes the connections, and then gives back what other processes may use. */
  async close(): Promise<void> {
    await this.egresses.close();
    await this.shared?.state.close();
    await this.shared?.permits.close();
  }
}

/** Wires the engine: for the service, the command line and the library. */
export function composeEngine(options: ComposeOptions): ComposedEngine {
  const { config, clock, meter, lifecycle, providerChanges: changes, shared, events = {} } = options;
  const { smtp } = config;
  const nowMs = () => clock.monotonicMs();
  const { permits, state } = shared ?? { permits: NO_SHARED_PERMITS, state: NO_SHARED_STATE };

  const resolvers = new ResolverCheck({ clock, meter, ...events });
  const dns = new DnsClient({ ...config.dns, clock, meter, resolvers });
  const resolver = new DnsMxResolver(dns);

  const lists = new CurrentDomainLists(options.lists);
  const providers = new Providers({ connectionsPerHost: smtp.maxConnections, registrableOf, changes });
  const windows = new ListWindows(resolver, (mxHost) => providers.nameOf(mxHost));
  const catchAll = new CatchAllCache(clock, state);

  const egresses = new SmtpEgresses(config, dns, providers, clock, meter, permits, state, events.onBlocked);
  const breakers = new Breakers(
    registrableOf,
    shared === null ? undefined : { sharedState: state, hashOf: shared.hashOf, nowMs },
  );
  const warm = new Set(smtp.egresses.filter(({ isWarm }) => isWarm).map(({ key }) => key));
  const warmup = new EgressWarmup({
    plan: smtp.warmup,
    store: shared?.warmup ?? null,
    isWarm: (egress) => warm.has(egress),
    nowMs,
    onStoreError: (error) => events.onWarmupError?.(error),
  });
  const gates = { breakers, warmup, nowMs };

  const engine = new Engine({
    parts: { resolver, lists, catchAll, egresses: egresses.all, smtpEnabled: smtp.enabled, ...gates },
    windows,
    acceptsAll: (mxHost) => providers.acceptsAll(mxHost),
    providerAt: (mxHost) => providers.of(mxHost),
    providerOf: (domain) => catchAll.providerOf(domain),
    onInternalError: (error) => events.onInternalError?.(error),
    lifecycle,
    clock,
  });
  return new ComposedEngine(
    engine,
    new DomainLookUp(resolver, dns),
    windows,
    catchAll,
    resolvers,
    providers,
    breakers,
    warmup,
    egresses,
    shared,
  );
}
