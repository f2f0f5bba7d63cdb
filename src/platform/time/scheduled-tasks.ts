import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Pause } from '../../kernel/service-state/pause.js';
import { ProcessRoles } from '../config/process-roles.js';
import { describeError, Log } from '../telemetry/log.js';
import { append } from '../../kernel/long-lists.js';

/** A task that runs at an interval. Any worker may run it, and it must be idempotent. */
interface ScheduledTask {
  name: string;
  everyMs: number;
  /** @returns the number of processed items. */
  run: () => Promise<number>;
}

/**
 * Runs tasks in a worker: once after the start, then at the interval of each task. Runs of one task do
 * not overlap within a process. A failed run is logged; the next run starts at its interval. None starts while the
 * service is paused, so that a copy sends nothing and deletes nothing.
 */
@Injectable()
export class ScheduledTasks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks: ScheduledTask[] = [];
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<ScheduledTask, Promise<void>>();

  constructor(
    private readonly roles: ProcessRoles,
    private readonly pause: Pause,
    private readonly log: Log,
  ) {}

  /** Adds tasks before the application has started. */
  add(...tasks: readonly ScheduledTask[]): void {
    append(this.tasks, tasks);
  }

  /** Runs a task now. @returns the number of processed items. @throws Error if no task has that name. */
  run(name: string): Promise<number> {
    const task = this.tasks.find((candidate) => candidate.name === name);
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

  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.running.values());
  }

  private start(task: ScheduledTask): void {
    if (this.running.has(task) || this.pause.isPaused) return;
    const run = this.runLogged(task).finally(() => this.running.delete(task));
    this.running.set(task, run);
  }

  private async runLogged({ name, run }: ScheduledTask): Promise<void> {
    try {
      const count = await run();
      if (count > 0) this.log.debug({ task: name, count }, 'scheduled task done');
    } catch (error) {
      this.log.error({ task: name, err: describeError(error) }, 'scheduled task failed');
    }
  }
}
