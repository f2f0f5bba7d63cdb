import { Module } from '@nestjs/common';
import { join } from 'node:path';
import { Clock } from '../../kernel/clock.js';
import { Meter } from '../../kernel/meter.js';
import { HealthRegistry } from '../../kernel/health-registry.js';
import { Config } from '../../platform/config/config.js';
import { DirectDialler } from '../../platform/net/dialler.js';
import { AddressPolicy } from '../../platform/net/address-policy.js';
import { SocksDialler } from '../../platform/net/socks-dialler.js';
import { describeFault, Log } from '../../platform/telemetry/log.js';
import { DnsClient } from './adapters/dns-client.js';
import { DnsMxResolver } from './adapters/dns-mx-resolver.js';
import { CurrentDomainLists, registrableOf } from './adapters/domain-lists.js';
import { StoredListFiles } from './adapters/stored-list-files.js';
import { MemoryCatchAllCache } from './adapters/memory-catch-all-cache.js';
import { SmtpMailboxProber } from './adapters/smtp-mailbox-prober.js';
import { WatchedDialler } from './adapters/watched-dialler.js';
import { Breakers } from './domain/breakers.js';
import { CatchAllCache } from './domain/catch-all.js';
import { DomainLists } from './domain/disposable-domains.js';
import { ListFiles } from './domain/list-files.js';
import { MailboxProber } from './domain/mailbox-prober.js';
import { MxResolver } from './domain/mx-resolver.js';
import { EngineService, EngineSettings } from './engine.service.js';
import { ListReportService } from './list-report.service.js';
import { ListUpdatesService } from './list-updates.service.js';

/** The engine with its ways out; needs no database, so that the command line can do without one. */
@Module({
  providers: [
    EngineService,
    ListUpdatesService,
    ListReportService,
    {
      provide: DnsClient,
      useFactory: ({ dns }: Config, clock: Clock, meter: Meter) => new DnsClient({ ...dns, clock, meter }),
      inject: [Config, Clock, Meter],
    },
    {
      provide: MxResolver,
      useFactory: (dns: DnsClient) => new DnsMxResolver(dns),
      inject: [DnsClient],
    },
    {
      provide: MailboxProber,
      useFactory: (
        { smtp }: Config,
        hosts: DnsClient,
        clock: Clock,
        health: HealthRegistry,
        meter: Meter,
      ) => {
        const dialler = new WatchedDialler(smtp.proxy ? new SocksDialler(smtp.proxy) : new DirectDialler());
        if (smtp.proxy) health.register('proxy', () => (dialler.isBroken ? 'degraded' : 'ok'));
        const egress = new AddressPolicy(smtp.allowCidrs);
        return new SmtpMailboxProber({ ...smtp, hosts, dialler, clock, meter, egress });
      },
      inject: [Config, DnsClient, Clock, HealthRegistry, Meter],
    },
    {
      provide: CatchAllCache,
      useFactory: (clock: Clock) => new MemoryCatchAllCache(clock),
      inject: [Clock],
    },
    {
      provide: Breakers,
      useFactory: (clock: Clock, health: HealthRegistry, meter: Meter) => {
        const breakers = new Breakers(registrableOf);
        health.register('mail_servers', () => (breakers.isAnyOpen(clock.monotonicMs()) ? 'degraded' : 'ok'));
        meter.gauge('rcpt_breakers_open', () =>
          breakers.open(clock.monotonicMs()).map(({ of, count }) => ({ labels: [of], value: count })),
        );
        return breakers;
      },
      inject: [Clock, HealthRegistry, Meter],
    },
    {
      provide: ListFiles,
      useFactory: ({ dataDir }: Config, clock: Clock, log: Log): ListFiles =>
        new StoredListFiles(join(dataDir, 'lists', 'disposable.json'), clock, (error) =>
          log.error(
            { err: describeFault(error) },
            'the updated lists cannot be read; those before stay in force',
          ),
        ),
      inject: [Config, Clock, Log],
    },
    {
      provide: DomainLists,
      useFactory: (shelf: ListFiles) => new CurrentDomainLists(shelf),
      inject: [ListFiles],
    },
    {
      provide: EngineSettings,
      useFactory: ({ smtp }: Config, log: Log): EngineSettings => ({
        smtpEnabled: smtp.enabled,
        onFault: (error) => log.error({ err: describeFault(error) }, 'the engine failed'),
      }),
      inject: [Config, Log],
    },
  ],
  exports: [EngineService, ListUpdatesService, ListReportService],
})
export class EngineModule {}
