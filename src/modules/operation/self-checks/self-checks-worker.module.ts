import { Module } from '@nestjs/common';
import { Retention } from '../../../platform/database/erasure/retention.js';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';
import { DoctorModule } from '../doctor/doctor.module.js';
import { TeamsModule } from '../../identity/teams/teams.module.js';
import { SelfCheckRunService } from './self-check-run.service.js';
import { SelfChecksModule } from './self-checks.module.js';
import { HISTORY_DAYS } from './self-checks.service.js';
import { SECOND_MS } from '../../../kernel/durations.js';

const DAYS = { table: 'self_check_days', column: 'day', days: HISTORY_DAYS };

@Module({ imports: [DoctorModule, TeamsModule, SelfChecksModule], providers: [SelfCheckRunService] })
export class SelfChecksWorkerModule {
  constructor(tasks: ScheduledTasks, retention: Retention, run: SelfCheckRunService) {
    tasks.add(
      { name: 'check egresses', everyMs: 30 * SECOND_MS, run: () => run.runDue() },
      { name: 'delete old checks', everyMs: 3_600 * SECOND_MS, run: () => retention.deleteExpired(DAYS) },
    );
  }
}
