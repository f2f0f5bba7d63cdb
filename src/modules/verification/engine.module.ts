import { Inject, Module, type OnApplicationShutdown, type OnModuleInit, type Type } from '@nestjs/common';
import { join } from 'node:path';
import { Clock } from '../../kernel/clock.js';
import { HealthRegistry } from '../../kernel/health-registry.js';
import { Lifecycle } from '../../kernel/lifecycle.js';
import { Meter, type Reading } from '../../kernel/meter.js';
import { Config, ConfigError } from '../../platform/config/config.js';
import { SecretKeys } from '../../platform/secrets/secret-keys.js';
import { describeError, Log } from '../../platform/telemetry/log.js';
import { CatchAllCache } from '../../engine/catch-all.js';
import { ComposedEngine, composeEngine, type EngineEvents } from '../../engine/compose.js';
import { DENIES_WELL_KNOWN, DOES_NOT_ANSWER } from '../../engine/dns/adapters/dns-resolver-check.js';
import { EgressReporter } from '../../engine/egress/adapters/egress-reporter.js';
import { SmtpEgresses } from '../../engine/egress/adapters/smtp-egresses.js';
import { Breakers } from '../../engine/egress/breakers.js';
import { WarmupStore } from '../../engine/egress/warmup-store.js';
import { DomainLookUp } from '../../engine/domain-look-up.js';
import { Engine } from '../../engine/engine.js';
import { CONNECTION_LIMITS, sentenceOf } from '../../engine/limits/connection-limit.js';
import { ConnectionPermits, EGRESS_ITSELF } from '../../engine/limits/connection-permits.js';
import { PermitStore } from '../../engine/limits/permit-store.js';
import { SharedState } from '../../engine/limits/shared-state.js';
import { ListWindows } from '../../engine/list-windows.js';
import { StoredListFiles } from '../../engine/lists/adapters/stored-list-files.js';
import { DomainLists } from '../../engine/lists/domain-list.js';
import { ListFiles } from '../../engine/lists/list-files.js';
import { PROVIDERS } from '../../engine/providers/mail-exchange.js';
import { readProvidersFile } from './adapters/providers-file.js';
import { DomainListsService } from './domain-lists.service.js';
import { SharedLimitsModule } from './shared-limits.module.js';

/** A part of the engine that others use by itself. */
const part = <T>(
  provide: Type<T> | (abstract new (...args: never[]) => T),
  of: (all: ComposedEngine) => T,
) => ({
  provide,
  useFactory: of,
  inject: [ComposedEngine],
});

/** The engine (`engine/compose.ts`), its log, its metrics and its end. It needs no database, so that the command line can use it. */
@Module({
  imports: [SharedLimitsModule],
  providers: [
    {
      provide: ListFiles,
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
      provide: ComposedEngine,
      useFactory: async (
        config: Config,
        clock: Clock,
        meter: Meter,
        lifecycle: Lifecycle,
        lists: ListFiles,
        log: Log,
        permits: ConnectionPermits,
        state: SharedState,
        warmup: WarmupStore | null,
        keys?: SecretKeys,
      ) => {
        rejectUnknownProviders(config);
        const { providersFile: file } = config;
        const providerChanges = file === null ? undefined : await readProvidersFile(file);
        const names = new Map(config.smtp.egresses.map(({ key, name }) => [key, name]));
        const events = loggingTo(log, names);
        // The command line has no keys, and shares nothing.
        const shared =
          warmup === null || keys === undefined ? null : { permits, state, warmup, hashOf: hashWith(keys) };
        return composeEngine({ config, clock, meter, lifecycle, lists, providerChanges, shared, events });
      },
      inject: [
        Config,
        Clock,
        Meter,
        Lifecycle,
        ListFiles,
        Log,
        ConnectionPermits,
        SharedState,
        WarmupStore,
        { token: SecretKeys, optional: true },
      ],
    },
    part(Engine, ({ engine }) => engine),
    part(DomainLookUp, ({ domains }) => domains),
    part(DomainLists, ({ engine }) => engine.lists),
    part(ListWindows, ({ windows }) => windows),
    part(CatchAllCache, ({ catchAll }) => catchAll),
    part(Breakers, ({ breakers }) => breakers),
    part(SmtpEgresses, ({ egresses }) => egresses),
    EgressReporter,
    DomainListsService,
  ],
  exports: [Engine, DomainLookUp, ListWindows, DomainListsService],
})
export class EngineModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly composed: ComposedEngine,
    @Inject(PermitStore) private readonly store: PermitStore | null,
    private readonly clock: Clock,
    private readonly health: HealthRegistry,
    private readonly meter: Meter,
  ) {}

  onModuleInit(): void {
    const { clock, health, meter } = this;
    const { breakers, resolvers, warmup } = this.composed;
    health.register(
      'dns',
      () => (resolvers.countUnhealthy() > 0 ? 'degraded' : 'ok'),
      () => resolvers.reason(),
    );
    meter.gauge('rcpt_dns_servers_unhealthy', () => [{ labels: [], value: resolvers.countUnhealthy() }]);
    const areProvidersOpen = () => breakers.isAnyProviderOpen(clock.monotonicMs());
    health.register(
      'mail_servers',
      () => (areProvidersOpen() ? 'degraded' : 'ok'),
      'a large mail provider refuses connections or probes (rcpt_circuit_breakers_by_provider)',
    );
    meter.gauge('rcpt_circuit_breakers_open', () =>
      breakers.open(clock.monotonicMs()).map(({ of, count }) => ({ labels: [of], value: count })),
    );
    meter.gauge('rcpt_circuit_breakers_by_provider', () =>
      breakers
        .openByProvider(clock.monotonicMs())
        .map(({ of, provider, count }) => ({ labels: [of, provider ?? ''], value: count })),
    );
    meter.gauge('rcpt_provider_sessions', () => this.sessionsByProvider());
    meter.gauge('rcpt_provider_blocked', () => this.blockedByProvider());
    meter.gauge('rcpt_egress_warmup_probes', () =>
      [...warmup.ceilings()].flatMap(({ egress, provider, ceiling, used }) => {
        const labels = [this.nameOf(egress), provider];
        return [
          { labels: [...labels, 'ceiling'], value: ceiling },
          { labels: [...labels, 'used'], value: used },
        ];
      }),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.composed.close();
  }

  /** The sessions of all processes by egress and provider. */
  private async sessionsByProvider(): Promise<Reading[]> {
    const usage = (await this.store?.listUsage()) ?? [];
    return sumsOf(
      usage
        .filter(({ provider }) => provider !== EGRESS_ITSELF)
        .flatMap(({ egress, provider, ...values }) =>
          (['limit', 'used', 'waiting'] as const).map((value) => ({
            labels: [this.nameOf(egress), this.labelOf(provider), value],
            value: values[value],
          })),
        ),
    );
  }

  /** The requests that wait for a session, by egress, provider and the limit that is the reason. */
  private async blockedByProvider(): Promise<Reading[]> {
    const usage = (await this.store?.listUsage()) ?? [];
    return sumsOf(
      usage.flatMap(({ egress, provider, waiting, blockedBy }) =>
        CONNECTION_LIMITS.filter((limit) => limit === blockedBy).map((limit) => ({
          labels: [this.nameOf(egress), this.labelOf(provider), limit],
          value: waiting,
        })),
      ),
    );
  }

  /** Names that are not in the table are those of customers' servers. */
  private labelOf(provider: string): string {
    if (provider === EGRESS_ITSELF) return '';
    return this.composed.providers.isKnown(provider) ? provider : 'other';
  }

  private nameOf(egress: string): string {
    return this.composed.egresses.all.find(({ key }) => key === egress)?.name ?? egress;
  }
}

/** One reading for the same labels. */
function sumsOf(readings: readonly Reading[]): Reading[] {
  const sums = new Map<string, Reading>();
  for (const { labels, value } of readings) {
    const key = labels.join(' ');
    sums.set(key, { labels, value: (sums.get(key)?.value ?? 0) + value });
  }
  return [...sums.values()];
}

function hashWith(keys: SecretKeys): (key: string) => string {
  return (key) => keys.hashAddress(key).toString('base64url').slice(0, 16);
}

/** @throws ConfigError */
function rejectUnknownProviders({ smtp }: Config): void {
  if ([...smtp.warmup.starts.keys()].some((provider) => !PROVIDERS.includes(provider)))
    throw new ConfigError(`EGRESS_WARMUP must name providers of this list: ${PROVIDERS.join(', ')}.`);
}

/** @param names of egresses, by key: a key may contain an address. */
export function loggingTo(log: Log, names: ReadonlyMap<string, string>): EngineEvents {
  return {
    // The names of other providers are those of customers' servers.
    onBlocked: ({ egress, provider: { name, isUnknown }, limit, waiting }) =>
      log.debug(
        { egress: names.get(egress), provider: isUnknown ? 'other' : name, limit, waiting },
        `requests wait for a session: ${sentenceOf(limit)}`,
      ),
    onResolverHealth: (server, isHealthy) =>
      isHealthy
        ? log.info({ server }, 'the name server resolves well-known domains again')
        : log.error({ server }, `${DENIES_WELL_KNOWN}: its negative responses are not accepted`),
    onResolverOutage: (server, saying) =>
      saying === null
        ? log.info({ server }, 'the name server answers again')
        : log.warn({ server, saying }, `${DOES_NOT_ANSWER}: verdicts are dns_error`),
    onInternalError: (error) =>
      log.error({ err: describeError(error) }, 'a check ended with an internal error'),
    onWarmupError: (error) =>
      log.warn(
        { err: describeError(error) },
        'the counters of new egresses cannot be read: large providers are not probed through them',
      ),
  };
}
