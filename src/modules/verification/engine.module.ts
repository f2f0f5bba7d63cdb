import { Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Config } from '../../platform/config/config.js';
import { Egress } from '../../platform/net/egress.js';
import { describeFault, Log } from '../../platform/telemetry/log.js';
import { DnsClient } from './adapters/dns-client.js';
import { DnsMxResolver } from './adapters/dns-mx-resolver.js';
import { PackagedDomainLists } from './adapters/domain-lists.js';
import { MemoryCatchAll } from './adapters/memory-catch-all.js';
import { SmtpMailboxProber } from './adapters/smtp-mailbox-prober.js';
import { CatchAllMemory } from './domain/catch-all.js';
import { DomainLists } from './domain/disposable-domains.js';
import { MailboxProber } from './domain/mailbox-prober.js';
import { MxResolver } from './domain/mx-resolver.js';
import { EngineService, EngineSettings } from './engine.service.js';

/** The engine with its ways out; needs no database, so that the command line can do without one. */
@Module({
  providers: [
    EngineService,
    {
      provide: DnsClient,
      useFactory: ({ dns }: Config, clock: Clock) => new DnsClient({ ...dns, clock }),
      inject: [Config, Clock],
    },
    { provide: MxResolver, useFactory: (dns: DnsClient) => new DnsMxResolver(dns), inject: [DnsClient] },
    {
      provide: MailboxProber,
      useFactory: ({ smtp }: Config, hosts: DnsClient, clock: Clock) =>
        new SmtpMailboxProber({ ...smtp, hosts, clock, egress: new Egress(smtp.allowCidrs) }),
      inject: [Config, DnsClient, Clock],
    },
    { provide: DomainLists, useFactory: () => new PackagedDomainLists() },
    { provide: CatchAllMemory, useFactory: (clock: Clock) => new MemoryCatchAll(clock), inject: [Clock] },
    {
      provide: EngineSettings,
      useFactory: ({ smtp }: Config, log: Log): EngineSettings => ({
        smtpEnabled: smtp.enabled,
        onFault: (error) => log.error({ err: describeFault(error) }, 'the engine failed'),
      }),
      inject: [Config, Log],
    },
  ],
  exports: [EngineService],
})
export class EngineModule {}
