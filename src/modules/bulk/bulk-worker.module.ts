import { Module } from '@nestjs/common';
import { Outbox } from '../../platform/database/outbox/outbox.js';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { VerificationModule } from '../verification/verification.module.js';
import { BulkDeletionService } from './bulk-deletion.service.js';
import { BulkMaintenanceService } from './bulk-maintenance.service.js';
import { BulkModule } from './bulk.module.js';
import { BulkProcessor } from './bulk.processor.js';

const SECOND_MS = 1_000;

@Module({ imports: [BulkModule, VerificationModule], providers: [BulkProcessor] })
export class BulkWorkerModule {
  constructor(
    tasks: ScheduledTasks,
    outbox: Outbox,
    maintenance: BulkMaintenanceService,
    deletion: BulkDeletionService,
  ) {
    tasks.add(
      { name: 'enqueue bulk chunks', everyMs: 5 * SECOND_MS, run: () => maintenance.enqueueMissing() },
      { name: 'close overdue bulk jobs', everyMs: 30 * SECOND_MS, run: () => maintenance.closeOverdue() },
      { name: 'delete bulk jobs', everyMs: 60 * SECOND_MS, run: () => maintenance.deleteDue() },
    );
    outbox.subscribe('team.deleted', ({ teamId }) => deletion.deleteByTeam(teamId));
  }
}
