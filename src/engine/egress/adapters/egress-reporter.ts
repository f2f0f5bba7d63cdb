import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { HealthRegistry } from '../../../kernel/health-registry.js';
import { Meter } from '../../../kernel/meter.js';
import { ProcessRoles } from '../../../platform/config/process-roles.js';
import { EGRESS_UNAVAILABLE_RULE } from '../../../kernel/verdict.js';
import { Log } from '../../../platform/telemetry/log.js';
import { Breakers } from '../breakers.js';
import type { PauseCause } from '../egress-choice.js';
import { SmtpEgresses, type SmtpEgress } from './smtp-egresses.js';

const MEANING_OF = {
  rejected: 'is rejected by many mail servers',
  unreachable: 'does not work: its proxy fails, or its address is not on this machine',
  port_closed: 'connects to no mail server: outbound port 25 is probably closed, and verdicts are no_connect',
} as const;
const PAUSE_CAUSES = ['rejected', 'unreachable'] as const;

const END_OF = {
  rejected: 'is used again',
  unreachable: 'is used again',
  port_closed: 'connects to mail servers again',
} as const;

const LOG_INTERVAL_MS = 2_000;

/** `port_closed`: it is used nevertheless. */
type Trouble = PauseCause | 'port_closed';

/** Reports egresses that are not used or connect to no server: to `/readyz`, the metrics and the log. By name, which contains no address of a proxy. */
@Injectable()
export class EgressReporter implements OnModuleInit, OnApplicationShutdown {
  private logged: ReadonlyMap<string, Trouble> = new Map();
  /** By egress: the failure that was logged last. */
  private readonly failures = new Map<string, string | null>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly egresses: SmtpEgresses,
    private readonly breakers: Breakers,
    private readonly clock: Clock,
    private readonly health: HealthRegistry,
    private readonly meter: Meter,
    private readonly log: Log,
    private readonly roles: ProcessRoles,
  ) {}

  onModuleInit(): void {
    const sentence = () => [...this.troubled()].map(sentenceOf).join('; ');
    this.health.register('egress', () => (this.troubled().size > 0 ? 'degraded' : 'ok'), sentence);
    this.meter.gauge('rcpt_egress_pause_seconds', () => {
      const nowMs = this.clock.monotonicMs();
      return this.egresses.all.map(({ key, name, outage }) => {
        const pauseMs = Math.max(outage.remainingMs(nowMs), this.breakers.egressPauseMs(key, nowMs));
        return { labels: [name], value: pauseMs / 1000 };
      });
    });
    this.meter.gauge('rcpt_egress_paused', () => {
      const now = this.troubled();
      return this.egresses.all.flatMap(({ name }) =>
        PAUSE_CAUSES.map((cause) => ({ labels: [name, cause], value: now.get(name) === cause ? 1 : 0 })),
      );
    });
    this.meter.gauge('rcpt_egress_port_closed', () =>
      this.egresses.all.map(({ name, reach }) => ({ labels: [name], value: reach.isClosed ? 1 : 0 })),
    );
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
      if (this.logged.get(egress) !== cause) this.log.warn({ egress, cause }, sentenceOf([egress, cause]));
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
  private troubled(): ReadonlyMap<string, Trouble> {
    const nowMs = this.clock.monotonicMs();
    const causeOf = ({ key, outage, reach }: SmtpEgress): Trouble | null => {
      if (outage.isBroken) return 'unreachable';
      if (this.breakers.egressPauseMs(key, nowMs) > 0) return 'rejected';
      return reach.isClosed ? 'port_closed' : null;
    };
    const causes = this.egresses.all.map((egress) => [egress.name, causeOf(egress)] as const);
    return new Map(causes.filter((entry): entry is [string, Trouble] => entry[1] !== null));
  }
}

function sentenceOf([name, cause]: readonly [string, Trouble]): string {
  return `${name} ${MEANING_OF[cause]}`;
}
