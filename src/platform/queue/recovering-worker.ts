import { setTimeout as delay } from 'node:timers/promises';
import { Worker, type IQueueBackend, type Job, type JobJson, type JobProgress } from 'bullmq';

export type WorkerJob = Job<unknown, void, string, JobProgress>;

/** A store that has just failed is asked again after this, not at once. */
const RECOVERY_MS = 1_000;

/** BullMQ's worker, made to survive what it would stumble over again and again. */
export class RecoveringWorker extends Worker<unknown, void, string, IQueueBackend, JobProgress, unknown> {
  /** Data that are no JSON become none: the handler refuses them, and the ring is over. */
  protected override createJob(json: JobJson, id: string): WorkerJob {
    try {
      return super.createJob(json, id);
    } catch {
      return super.createJob({ ...json, data: 'null' }, id);
    }
  }

  protected override async moveToActive(token: string, name?: string): Promise<WorkerJob> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      await delay(RECOVERY_MS, undefined, { ref: false });
      throw error;
    }
  }
}
