import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { HealthRegistry, type HealthStatus } from '../../kernel/health-registry.js';
import { Meter, type CounterName, type GaugeName, type Reading } from '../../kernel/meter.js';
import type { Principal } from '../../kernel/principal.js';
import { TeamsService } from '../teams/teams.service.js';
import {
  type SelfCheck,
  type SelfCheckHistory,
  SelfChecksService,
} from '../self-checks/self-checks.service.js';
import { DoctorService, type Finding } from '../doctor/doctor.service.js';

export interface SystemPart {
  name: string;
  status: HealthStatus;
  /** null: the name of the part is sufficient. */
  reason: string | null;
}

/** The values of metrics; their labels are in the order of `kernel/meter.ts`. */
export type SystemReadings = Record<(typeof READ)[number], Reading[]>;

export interface SystemState {
  at: Date;
  parts: SystemPart[];
  checks: SelfCheck[];
  readings: SystemReadings;
}

const READ = [
  'rcpt_queue_waiting',
  'rcpt_queue_active',
  'rcpt_queue_oldest_seconds',
  'rcpt_egress_pause_seconds',
  'rcpt_egress_paused',
  'rcpt_egress_probes_total',
  'rcpt_egress_warmup_probes',
  'rcpt_provider_sessions',
  'rcpt_provider_blocked',
  'rcpt_circuit_breakers_by_provider',
  'rcpt_verdicts_total',
] as const satisfies readonly (CounterName | GaugeName)[];

/** The findings of the checks, at the end of their run. */
export interface Examination {
  at: Date;
  findings: readonly Finding[];
}

/** The result of an examination is cached for this time. */
const EXAMINATION_MS = 60_000;
/** If jobs wait longer than this, no worker is running. */
const UNATTENDED_SECONDS = 60;

/** The state of the installation, as this process sees it. */
@Injectable()
export class SystemService {
  /** The last examination, or the running one, because checks connect to other systems. */
  private examination: { startedAtMs: number; result: Promise<Examination> } | null = null;

  constructor(
    private readonly teams: TeamsService,
    private readonly health: HealthRegistry,
    private readonly meter: Meter,
    private readonly clock: Clock,
    private readonly doctor: DoctorService,
    private readonly selfChecks: SelfChecksService,
  ) {}

  /** @throws RoleRequired unless the caller owns the first team */
  async state(caller: Principal): Promise<SystemState> {
    await this.teams.requireOperator(caller);
    const values = await Promise.all(READ.map(async (name) => [name, await this.meter.read(name)] as const));
    const readings = Object.fromEntries(values) as SystemReadings;
    const checks = await this.selfChecks.list();
    return { at: this.clock.now(), parts: [...this.parts(), workersOf(readings)], checks, readings };
  }

  /** @throws RoleRequired as `state` */
  async checkHistory(caller: Principal): Promise<SelfCheckHistory> {
    await this.teams.requireOperator(caller);
    return this.selfChecks.history();
  }

  /** Runs the checks, unless they were run within a minute. @throws RoleRequired as `state` */
  async examine(caller: Principal): Promise<Examination> {
    await this.teams.requireOperator(caller);
    const nowMs = this.clock.monotonicMs();
    if (this.examination === null || nowMs - this.examination.startedAtMs >= EXAMINATION_MS)
      this.examination = { startedAtMs: nowMs, result: this.examineNow() };
    return this.examination.result;
  }

  private async examineNow(): Promise<Examination> {
    try {
      return { findings: await this.doctor.examine(), at: this.clock.now() };
    } catch (error) {
      this.examination = null;
      throw error;
    }
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

/** Detects missing workers by waiting jobs, because workers do not report to the API. */
function workersOf(readings: SystemReadings): SystemPart {
  const sumOf = (values: readonly Reading[]) => values.reduce((sum, { value }) => sum + value, 0);
  const oldest = Math.max(0, ...readings.rcpt_queue_oldest_seconds.map(({ value }) => value));
  const isUnattended = oldest >= UNATTENDED_SECONDS && sumOf(readings.rcpt_queue_active) === 0;
  const reason = `jobs have waited for ${Math.round(oldest)} s and none is active: start a worker`;
  return {
    name: 'workers',
    status: isUnattended ? 'degraded' : 'ok',
    reason: isUnattended ? reason : null,
  };
}
