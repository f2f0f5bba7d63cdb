import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { ProcessRoles } from '../config/process-roles.js';
import { describeFault, Log } from '../telemetry/log.js';

/** Work that is repeated at an interval. It may run in any worker, and twice does no harm. */
export interface ScheduledTask {
  name: string;
  everyMs: number;
  /** @returns how many items it has processed. */
  run: () => Promise<number>;
}

/**
 * Runs tasks in a worker: each one when the process has started and then at its interval, never
 * twice at the same time. A run that fails is logged; the next one starts at its time.
 */
@Injectable()
export class ScheduledTasks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks: ScheduledTask[] = [];
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<ScheduledTask, Promise<void>>();

  constructor(
    private readonly roles: ProcessRoles,
    private readonly log: Log,
  ) {}

  /** Adds tasks before the application has started. */
  add(...tasks: readonly ScheduledTask[]): void {
    this.tasks.push(...tasks);
  }

  /** Runs one task now. @returns how many items it has processed. @throws Error when no task has that name. */
  run(name: string): Promise<number> {
    const task = this.tasks.find((each) => each.name === name);
    if (task === undefined) throw new Error(`no task is named "${name}"`);
    return task.run();
  }

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    for (const task of this.tasks) {
      this.start(task);
      this.timers.push(setInterval(() => this.start(task), task.everyMs));
    }
  }

  /** Starts no more runs, and waits for those that have started. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.running.values());
  }

  private start(task: ScheduledTask): void {
    if (this.running.has(task)) return;
    const run = this.runLogged(task).finally(() => this.running.delete(task));
    this.running.set(task, run);
  }

  private async runLogged({ name, run }: ScheduledTask): Promise<void> {
    try {
      const count = await run();
      if (count > 0) this.log.debug({ task: name, count }, 'scheduled task done');
    } catch (error) {
      this.log.error({ task: name, err: describeFault(error) }, 'scheduled task failed');
    }
  }
}
