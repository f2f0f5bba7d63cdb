import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { HealthRegistry, type HealthStatus } from '../../kernel/health-registry.js';
import { Meter, type CounterName, type GaugeName, type Reading } from '../../kernel/meter.js';
import type { Principal } from '../../kernel/principal.js';
import { RoleRequired } from '../../kernel/role-required.js';
import { TeamsService } from '../teams/teams.service.js';

export interface SystemPart {
  name: string;
  status: HealthStatus;
  /** null: the name says it. */
  reason: string | null;
}

/** The values of metrics; their labels are in the order of `kernel/meter.ts`. */
export type SystemReadings = Record<(typeof READ)[number], Reading[]>;

export interface SystemState {
  at: Date;
  parts: SystemPart[];
  readings: SystemReadings;
}

const READ = [
  'rcpt_queue_waiting',
  'rcpt_queue_active',
  'rcpt_queue_oldest_seconds',
  'rcpt_egress_rest_seconds',
  'rcpt_egress_resting',
  'rcpt_egress_probes_total',
  'rcpt_egress_warmup_probes',
  'rcpt_circuit_breakers_by_provider',
  'rcpt_verdicts_total',
] as const satisfies readonly (CounterName | GaugeName)[];

/** The state of the installation, as this process sees it. */
@Injectable()
export class SystemService {
  constructor(
    private readonly teams: TeamsService,
    private readonly health: HealthRegistry,
    private readonly meter: Meter,
    private readonly clock: Clock,
  ) {}

  /** @throws RoleRequired unless the caller owns the first team */
  async state({ teamId, userId }: Principal): Promise<SystemState> {
    const { team, role } = await this.teams.get(teamId, userId);
    if (!team.isFirst || role !== 'owner')
      throw new RoleRequired(
        null,
        'Only the owner of the first team of this installation may see its state.',
      );
    const readings = await Promise.all(
      READ.map(async (name) => [name, await this.meter.read(name)] as const),
    );
    return {
      at: this.clock.now(),
      parts: this.parts(),
      readings: Object.fromEntries(readings) as SystemReadings,
    };
  }

  private parts(): SystemPart[] {
    const reasons = this.health.reasons();
    // The request has been authenticated, so the database answers.
    const statuses: Record<string, HealthStatus> = { database: 'ok', ...this.health.statuses() };
    return Object.entries(statuses).map(([name, status]) => ({
      name,
      status,
      reason: reasons[name] ?? null,
    }));
  }
}
