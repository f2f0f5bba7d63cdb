import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { HealthRegistry, type HealthStatus } from '../../../kernel/service-state/health-registry.js';
import { Meter, type Reading } from '../../../kernel/meter.js';
import { QueueStates, type QueueState } from '../../../kernel/service-state/queue-states.js';
import type { Principal } from '../../../kernel/principal.js';
import {
  MailServersService,
  type MailServersState,
} from '../../verification/mail-servers/mail-servers.service.js';
import { TeamsService } from '../../identity/teams/team/teams.service.js';
import {
  type SelfCheck,
  type SelfCheckHistory,
  SelfChecksService,
} from '../self-checks/self-checks.service.js';
import { DoctorService, type Finding } from '../doctor/doctor.service.js';
import { greatest } from '../../../kernel/long-lists.js';

export interface SystemPart {
  name: string;
  status: HealthStatus;
  /** null: the name of the part is sufficient. */
  reason: string | null;
}

export interface SystemState {
  at: Date;
  parts: SystemPart[];
  checks: SelfCheck[];
  queues: QueueState[];
  mailServers: MailServersState;
  /** What this process has counted since its start; their labels are in the order of `kernel/meter.ts`. */
  counted: { verdicts: Reading[]; probes: Reading[] };
}

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
    private readonly queues: QueueStates,
    private readonly mailServers: MailServersService,
  ) {}

  /** @throws RoleRequired unless the caller owns the first team */
  async state(caller: Principal): Promise<SystemState> {
    await this.teams.requireOperator(caller);
    const queues = await this.queues.list();
    return {
      at: this.clock.now(),
      parts: [...this.parts(), workersOf(queues)],
      checks: await this.selfChecks.list(),
      queues,
      mailServers: await this.mailServers.state(),
      counted: {
        verdicts: await this.meter.read('rcpt_verdicts_total'),
        probes: await this.meter.read('rcpt_egress_probes_total'),
      },
    };
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
function workersOf(queues: readonly QueueState[]): SystemPart {
  const oldest = greatest(
    queues.map(({ oldestWaitingSeconds }) => oldestWaitingSeconds ?? 0),
    0,
  );
  const isUnattended = oldest >= UNATTENDED_SECONDS && queues.every(({ active }) => active === 0);
  const reason = `jobs have waited for ${Math.round(oldest)} s and none is active: start a worker`;
  return {
    name: 'workers',
    status: isUnattended ? 'degraded' : 'ok',
    reason: isUnattended ? reason : null,
  };
}
