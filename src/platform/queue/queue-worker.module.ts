import { BullRegistrar } from '@nestjs/bullmq';
import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { ProcessRoles } from '../config/process-roles.js';
import { QueueBackend } from './queue-backend.js';

/** Starts a worker for each `@Processor` once the application has started, in a process that has the worker role. */
@Module({})
export class QueueWorkerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly registrar: BullRegistrar,
    private readonly backend: QueueBackend,
    private readonly roles: ProcessRoles,
  ) {}

  onApplicationBootstrap(): void {
    if (this.roles.worker) this.registrar.register();
  }

  /** Runs while the connections of the API are drained; both have the same time limit. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.backend.workers].map((worker) => worker.drain()));
  }
}
