import { Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Lifecycle } from '../../../kernel/service-state/lifecycle.js';
import { Meter } from '../../../kernel/meter.js';
import { Config } from '../../../platform/config/config.js';
import { SecretKeys } from '../../../platform/secrets/secret-keys.js';
import { Log } from '../../../platform/telemetry/log.js';
import { CatchAllCache } from '../../../engine/catch-all.js';
import { ComposedEngine } from '../../../engine/compose.js';
import { EgressReporter } from '../../../engine/egress/adapters/egress-reporter.js';
import { SmtpEgresses } from '../../../engine/egress/adapters/smtp-egresses.js';
import { Breakers } from '../../../engine/egress/breakers.js';
import { WarmupStore } from '../../../engine/egress/warmup-store.js';
import { DomainLookUp } from '../../../engine/domain-look-up.js';
import { Engine } from '../../../engine/engine.js';
import { ConnectionPermits } from '../../../engine/limits/connection-permits.js';
import { SharedState } from '../../../engine/limits/shared-state.js';
import { composeConfigured, storedLists } from '../../../engine/library/configured-engine.js';
import { ListWindows } from '../../../engine/list-windows.js';
import { DomainLists } from '../../../engine/lists/domain-list.js';
import { ListFiles } from '../../../engine/lists/list-files.js';
import { DomainListsService } from './domain-lists.service.js';
import { MailServersMetrics } from './mail-servers.metrics.js';
import { MailServersService } from './mail-servers.service.js';
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

/** The engine (`engine/compose.ts`), its log, its state, its metrics and its end. It needs no database, so that the command line can use it. */
@Module({
  imports: [SharedLimitsModule],
  providers: [
    {
      provide: ListFiles,
      useFactory: storedLists,
      inject: [Config, Clock, Log],
    },
    {
      provide: ComposedEngine,
      useFactory: (
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
        // The command line has no keys, and shares nothing.
        const shared =
          warmup === null || keys === undefined ? null : { permits, state, warmup, hashOf: hashWith(keys) };
        return composeConfigured({ config, clock, meter, lifecycle, lists, shared, log });
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
    MailServersService,
    MailServersMetrics,
  ],
  exports: [Engine, DomainLookUp, ListWindows, DomainListsService, MailServersService],
})
export class MailServersModule implements OnApplicationShutdown {
  constructor(private readonly composed: ComposedEngine) {}

  async onApplicationShutdown(): Promise<void> {
    await this.composed.close();
  }
}

function hashWith(keys: SecretKeys): (key: string) => string {
  return (key) => keys.hashAddress(key).toString('base64url').slice(0, 16);
}
