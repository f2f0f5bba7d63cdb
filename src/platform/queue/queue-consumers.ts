import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { JobHandler } from '../../kernel/job-queue.js';
import { ProcessRoles } from '../config/process-roles.js';
import { BullJobQueue } from './bull-job-queue.js';

export interface QueueConsumer {
  queue: string;
  /** Jobs that this process handles at the same time. */
  concurrency: number;
  handler: JobHandler;
}

/** Starts the consumers of the queues once the application has started, in a process that is a worker. */
@Injectable()
export class QueueConsumers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly consumers: QueueConsumer[] = [];

  constructor(
    private readonly queue: BullJobQueue,
    private readonly roles: ProcessRoles,
  ) {}

  add(consumer: QueueConsumer): void {
    this.consumers.push(consumer);
  }

  /** @throws Error when nothing consumes the queue. */
  handlerOf(queue: string): JobHandler {
    const consumer = this.consumers.find((each) => each.queue === queue);
    if (consumer === undefined) throw new Error(`nothing consumes the queue "${queue}"`);
    return consumer.handler;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.queue.open();
    if (!this.roles.worker) return;
    for (const { queue, concurrency, handler } of this.consumers)
      this.queue.work(queue, concurrency, handler);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.queue.drain();
  }
}
