import { Queue, type IQueueBackend, type QueueOptions } from 'bullmq';
import type { QueueBackend } from './queue-backend.js';

/** A BullMQ queue in the store that is passed as its connection. */
export class BackendQueue extends Queue<
  unknown,
  void,
  string,
  unknown,
  void,
  string,
  IQueueBackend,
  QueueBackend
> {
  constructor(name: string, options: QueueOptions<QueueBackend>) {
    super(name, options, (queue, { connection, ...rest }, extra) =>
      connection.factory(queue, { ...rest, connection: connection.producerConnection }, extra),
    );
    this.on('error', (error) => options.connection.logFailure(name, error));
  }
}
