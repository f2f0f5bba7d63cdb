import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { join } from 'node:path';
import { Clock } from '../../kernel/clock.js';
import { Meter, type Reading } from '../../kernel/meter.js';
import { Lifecycle } from '../../kernel/lifecycle.js';
import { HealthRegistry } from '../../kernel/health-registry.js';
import { Config } from '../../platform/config/config.js';
import { SecretKeys } from '../../platform/secrets/secret-keys.js';
import { describeError, Log } from '../../platform/telemetry/log.js';
import { DnsClient } from '../../engine/dns/adapters/dns-client.js';
import {
  DENIES_WELL_KNOWN,
  DOES_NOT_ANSWER,
  ResolverCheck,
} from '../../engine/dns/adapters/dns-resolver-check.js';
import { DnsMxResolver } from '../../engine/dns/adapters/dns-mx-resolver.js';
import { PROVIDER_PREFIX, Providers } from '../../engine/providers/session-limits.js';
import { readProvidersFile } from './adapters/providers-file.js';
import { ListWindows } from '../../engine/list-windows.js';
import { CurrentDomainLists, registrableOf } from '../../engine/lists/adapters/domain-lists.js';
import { StoredListFiles } from '../../engine/lists/adapters/stored-list-files.js';
import { SmtpEgresses } from '../../engine/egress/adapters/smtp-egresses.js';
import { Breakers } from '../../engine/egress/breakers.js';
import { EgressWarmup } from '../../engine/egress/egress-warmup.js';
import { ConnectionPermits } from '../../engine/limits/connection-permits.js';
import { CatchAllCache } from '../../engine/catch-all.js';
import { DomainLists } from '../../engine/lists/domain-list.js';
import { Egresses } from '../../engine/egress/egress.js';
import { MxResolver } from '../../engine/dns/mx-resolver.js';
import { NO_SHARED_STATE, SharedState } from '../../engine/limits/shared-state.js';
import { EgressReporter } from '../../engine/egress/adapters/egress-reporter.js';
import { Engine, EngineSettings } from '../../engine/engine.js';
import { TrustedOperators } from '../../engine/trusted-operators.js';
import { DomainListsService } from './domain-lists.service.js';
import { PermitStore } from '../../engine/limits/permit-store.js';
import { SharedLimitsModule } from './shared-limits.module.js';
import { ListFiles } from '../../engine/lists/list-files.js';

/** The engine with its egresses. It needs no database, so that the command line can use it. */
@Module({
  imports: [SharedLimitsModule],
  // Factories for classes of the engine, which has no decorators: its library loads no framework.
  providers: [
    {
      provide: Engine,
      useFactory: (...parts: ConstructorParameters<typeof Engine>) => new Engine(...parts),
      inject: [
        MxResolver,
        Egresses,
        DomainLists,
        CatchAllCache,
        TrustedOperators,
        Breakers,
        EgressWarmup,
        ListWindows,
        EngineSettings,
        Lifecycle,
        Clock,
      ],
    },
    DomainListsService,
    {
      provide: DnsClient,
      // Its options are plain values, most of them with defaults.
      useFactory: ({ dns }: Config, clock: Clock, meter: Meter, resolvers: ResolverCheck) =>
        new DnsClient({ ...dns, clock, meter, resolvers }),
      inject: [Config, Clock, Meter, ResolverCheck],
    },
    {
      provide: ResolverCheck,
      // Its options contain callbacks.
      useFactory: (clock: Clock, meter: Meter, log: Log) =>
        new ResolverCheck({
          clock,
          meter,
          onChange: (server, isHealthy) =>
            isHealthy
              ? log.info({ server }, 'the name server resolves well-known domains again')
              : log.error({ server }, `${DENIES_WELL_KNOWN}: its negative responses are not accepted`),
          onOutage: (server, saying) =>
            saying === null
              ? log.info({ server }, 'the name server answers again')
              : log.warn({ server, saying }, `${DOES_NOT_ANSWER}: verdicts are dns_error`),
        }),
      inject: [Clock, Meter, Log],
    },
    { provide: MxResolver, useFactory: (dns: DnsClient) => new DnsMxResolver(dns), inject: [DnsClient] },
    {
      provide: SmtpEgresses,
      useFactory: (...parts: ConstructorParameters<typeof SmtpEgresses>) => new SmtpEgresses(...parts),
      inject: [Config, DnsClient, Providers, Clock, Meter, ConnectionPermits, SharedState],
    },
    EgressReporter,
    { provide: Egresses, useExisting: SmtpEgresses },
    {
      provide: Providers,
      useFactory: async ({ smtp, providersFile }: Config) =>
        new Providers({
          connectionsPerHost: smtp.maxConnections,
          registrableOf,
          changes: providersFile === null ? undefined : await readProvidersFile(providersFile),
        }),
      inject: [Config],
    },
    {
      provide: ListWindows,
      // Domain code takes functions, and no decorators.
      useFactory: (resolver: MxResolver, providers: Providers) =>
        new ListWindows(resolver, (mxHost) => providers.nameOf(mxHost)),
      inject: [MxResolver, Providers],
    },
    {
      provide: CatchAllCache,
      // Domain code has no decorators.
      useFactory: (clock: Clock, sharedState: SharedState) => new CatchAllCache(clock, sharedState),
      inject: [Clock, SharedState],
    },
    {
      provide: TrustedOperators,
      useFactory: (clock: Clock, sharedState: SharedState) => new TrustedOperators(clock, sharedState),
      inject: [Clock, SharedState],
    },
    {
      provide: Breakers,
      // Domain code takes functions, and no decorators. The command line has no keys, and shares nothing.
      useFactory: (clock: Clock, sharedState: SharedState, keys?: SecretKeys) => {
        if (keys === undefined || sharedState === NO_SHARED_STATE) return new Breakers(registrableOf);
        const hashOf = (key: string) => keys.hashAddress(key).toString('base64url').slice(0, 16);
        return new Breakers(registrableOf, { sharedState, hashOf, nowMs: () => clock.monotonicMs() });
      },
      inject: [Clock, SharedState, { token: SecretKeys, optional: true }],
    },
    {
      provide: ListFiles,
      // Its parameters are a path and a callback.
      useFactory: ({ dataDir }: Config, clock: Clock, log: Log): ListFiles =>
        new StoredListFiles(join(dataDir, 'lists', 'disposable.json'), clock, (error) =>
          log.error(
            { err: describeError(error) },
            'the updated lists cannot be read; those before stay in force',
          ),
        ),
      inject: [Config, Clock, Log],
    },
    {
      provide: DomainLists,
      useFactory: (files: ListFiles) => new CurrentDomainLists(files),
      inject: [ListFiles],
    },
    {
      provide: EngineSettings,
      useFactory: ({ smtp }: Config, providers: Providers, log: Log): EngineSettings => ({
        smtpEnabled: smtp.enabled,
        acceptsAll: (mxHost) => providers.acceptsAll(mxHost),
        onInternalError: (error) =>
          log.error({ err: describeError(error) }, 'a check ended with an internal error'),
      }),
      inject: [Config, Providers, Log],
    },
  ],
  exports: [Engine, ListWindows, DomainListsService],
})
export class EngineModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly permits: ConnectionPermits,
    private readonly sharedState: SharedState,
    private readonly breakers: Breakers,
    private readonly egresses: SmtpEgresses,
    private readonly providers: Providers,
    @Inject(PermitStore) private readonly store: PermitStore | null,
    private readonly resolvers: ResolverCheck,
    private readonly clock: Clock,
    private readonly health: HealthRegistry,
    private readonly meter: Meter,
  ) {}

  onModuleInit(): void {
    const { breakers, clock, resolvers } = this;
    this.health.register(
      'dns',
      () => (resolvers.countUnhealthy() > 0 ? 'degraded' : 'ok'),
      () => resolvers.reason(),
    );
    this.meter.gauge('rcpt_dns_servers_unhealthy', () => [{ labels: [], value: resolvers.countUnhealthy() }]);
    const areProvidersOpen = () => breakers.isAnyProviderOpen(clock.monotonicMs());
    this.health.register(
      'mail_servers',
      () => (areProvidersOpen() ? 'degraded' : 'ok'),
      'a large mail provider refuses connections or probes (rcpt_circuit_breakers_by_provider)',
    );
    this.meter.gauge('rcpt_circuit_breakers_open', () =>
      breakers.open(clock.monotonicMs()).map(({ of, count }) => ({ labels: [of], value: count })),
    );
    this.meter.gauge('rcpt_provider_sessions', () => this.sessionsByProvider());
    this.meter.gauge('rcpt_circuit_breakers_by_provider', () =>
      breakers
        .openByProvider(clock.monotonicMs())
        .map(({ of, provider, count }) => ({ labels: [of, provider ?? ''], value: count })),
    );
  }

  /** Releases the permits after the connections are closed. */
  async onApplicationShutdown(): Promise<void> {
    await this.egresses.close();
    await this.sharedState.close();
    await this.permits.close();
  }

  /** The sessions of all processes by egress and provider. */
  private async sessionsByProvider(): Promise<Reading[]> {
    const sums = new Map<string, Reading>();
    for (const { egress: key, server, ...values } of (await this.store?.listUsage(PROVIDER_PREFIX)) ?? []) {
      const name = server.slice(PROVIDER_PREFIX.length);
      // Names that are not in the table are those of customers' servers.
      const provider = this.providers.isKnown(name) ? name : 'other';
      const egress = this.egresses.all.find((one) => one.key === key)?.name ?? key;
      for (const value of ['limit', 'used', 'waiting'] as const) {
        const labels = [egress, provider, value];
        const sum = sums.get(labels.join(' '))?.value ?? 0;
        sums.set(labels.join(' '), { labels, value: sum + values[value] });
      }
    }
    return [...sums.values()];
  }
}
