import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { HealthRegistry } from '../../../kernel/service-state/health-registry.js';
import { ProcessRoles } from '../../../platform/config/process-roles.js';
import { EGRESS_UNAVAILABLE_RULE } from '../../../kernel/verdict.js';
import { Log } from '../../../platform/telemetry/log.js';
import { sentenceOf } from '../../limits/not-dialled.js';
import { Breakers } from '../breakers.js';
import { troubleOf, type EgressTrouble } from '../egress-trouble.js';
import { SmtpEgresses } from './smtp-egresses.js';

const PORT_CLOSED =
  'connects to no mail server: outbound port 25 is probably closed, and verdicts are no_connect';

const END_OF = {
  rejected: 'is used again',
  unreachable: 'is used again',
  port_closed: 'connects to mail servers again',
} as const;

const LOG_INTERVAL_MS = 2_000;

/** Reports egresses that are not used or connect to no server: to `/readyz` and the log. By name, which contains no address of a proxy. */
@Injectable()
export class EgressReporter implements OnModuleInit, OnApplicationShutdown {
  private logged: ReadonlyMap<string, EgressTrouble> = new Map();
  /** By egress: the failure that was logged last. */
  private readonly failures = new Map<string, string | null>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly egresses: SmtpEgresses,
    private readonly breakers: Breakers,
    private readonly clock: Clock,
    private readonly health: HealthRegistry,
    private readonly log: Log,
    private readonly roles: ProcessRoles,
  ) {}

  onModuleInit(): void {
    const sentence = () => [...this.troubled()].map(reportOf).join('; ');
    this.health.register('egress', () => (this.troubled().size > 0 ? 'degraded' : 'ok'), sentence);
    // A run of the command line reports its egresses itself.
    if (this.roles.api || this.roles.worker)
      this.timer = setInterval(() => this.logChanges(), LOG_INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Logs what has changed since the last call. */
  logChanges(): void {
    const now = this.troubled();
    for (const [egress, cause] of now)
      if (this.logged.get(egress) !== cause) this.log.warn({ egress, cause }, reportOf([egress, cause]));
    for (const [egress, cause] of this.logged)
      if (!now.has(egress)) this.log.info({ egress }, `${egress} ${END_OF[cause]}`);
    this.logged = now;
    for (const { name, outage } of this.egresses.all) {
      const { failure } = outage;
      if (failure !== null && failure !== this.failures.get(name))
        this.log.warn({ egress: name, reason: EGRESS_UNAVAILABLE_RULE }, `${name} fails: ${failure}`);
      this.failures.set(name, failure);
    }
  }

  /** An egress that has failed is reported until it connects again, also between its pauses. */
  private troubled(): ReadonlyMap<string, EgressTrouble> {
    const nowMs = this.clock.monotonicMs();
    const causes = this.egresses.all.map(
      (egress) => [egress.name, troubleOf(egress, this.breakers, nowMs)] as const,
    );
    return new Map(causes.filter((entry): entry is [string, EgressTrouble] => entry[1] !== null));
  }
}

function reportOf([name, trouble]: readonly [string, EgressTrouble]): string {
  return trouble === 'port_closed'
    ? `${name} ${PORT_CLOSED}`
    : sentenceOf(trouble).replace('the egress', name);
}
