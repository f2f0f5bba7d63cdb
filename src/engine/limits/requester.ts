import type { QueueKey } from '../../kernel/concurrency/fair-queue.js';

/** The tenant and the priority of a request, by which shared resources are divided. */
export type Requester = QueueKey;
export type Priority = Requester['priority'];

/** The map key of a requester. */
export function keyOf({ tenant, priority }: Requester): string {
  return `${priority} ${tenant}`;
}
