import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { HealthRegistry } from '../../../kernel/service-state/health-registry.js';
import { Meter } from '../../../kernel/meter.js';
import { ComposedEngine } from '../../../engine/compose.js';
import { MailServersService } from './mail-servers.service.js';

const PAUSES = ['rejected', 'unreachable'] as const;

/** The gauges of mail servers, and their parts of `/readyz`. */
@Injectable()
export class MailServersMetrics implements OnModuleInit {
  constructor(
    private readonly mailServers: MailServersService,
    private readonly composed: ComposedEngine,
    private readonly clock: Clock,
    private readonly health: HealthRegistry,
    private readonly meter: Meter,
  ) {}

  onModuleInit(): void {
    this.reportHealth();
    this.measureEgresses();
    this.measureBreakers();
    this.measureSessions();
  }

  private reportHealth(): void {
    const { breakers, resolvers } = this.composed;
    this.health.register(
      'dns',
      () => (resolvers.countUnhealthy() > 0 ? 'degraded' : 'ok'),
      () => resolvers.reason(),
    );
    this.health.register(
      'mail_servers',
      () => (breakers.isAnyProviderOpen(this.clock.monotonicMs()) ? 'degraded' : 'ok'),
      'a large mail provider refuses connections or probes (rcpt_circuit_breakers_by_provider)',
    );
    this.meter.gauge('rcpt_dns_servers_unhealthy', () => [{ labels: [], value: resolvers.countUnhealthy() }]);
  }

  private measureEgresses(): void {
    const { meter, mailServers } = this;
    meter.gauge('rcpt_egress_pause_seconds', () =>
      mailServers.egresses().map(({ name, pauseSeconds }) => ({ labels: [name], value: pauseSeconds })),
    );
    meter.gauge('rcpt_egress_paused', () =>
      mailServers
        .egresses()
        .flatMap(({ name, trouble }) =>
          PAUSES.map((cause) => ({ labels: [name, cause], value: trouble === cause ? 1 : 0 })),
        ),
    );
    meter.gauge('rcpt_egress_port_closed', () =>
      this.composed.egresses.all.map(({ name, reach }) => ({
        labels: [name],
        value: reach.isClosed ? 1 : 0,
      })),
    );
    meter.gauge('rcpt_egress_warmup_probes', () =>
      mailServers.egresses().flatMap(({ name, warmup }) =>
        warmup.flatMap(({ provider, ...values }) =>
          (['ceiling', 'used'] as const).map((value) => ({
            labels: [name, provider, value],
            value: values[value],
          })),
        ),
      ),
    );
  }

  private measureBreakers(): void {
    this.meter.gauge('rcpt_circuit_breakers_open', () =>
      this.composed.breakers
        .open(this.clock.monotonicMs())
        .map(({ of, count }) => ({ labels: [of], value: count })),
    );
    this.meter.gauge('rcpt_circuit_breakers_by_provider', () =>
      this.mailServers
        .breakers()
        .map(({ scope, provider, open }) => ({ labels: [scope, provider ?? ''], value: open })),
    );
  }

  private measureSessions(): void {
    this.meter.gauge('rcpt_provider_sessions', async () =>
      (await this.mailServers.sessions()).flatMap(({ egress, provider, ...values }) =>
        provider === null
          ? []
          : (['limit', 'used', 'waiting'] as const).map((value) => ({
              labels: [egress, provider, value],
              value: values[value],
            })),
      ),
    );
    this.meter.gauge('rcpt_provider_blocked', async () =>
      (await this.mailServers.sessions()).flatMap(({ egress, provider, blocked }) =>
        [...blocked].map(([limit, waiting]) => ({ labels: [egress, provider ?? '', limit], value: waiting })),
      ),
    );
  }
}
