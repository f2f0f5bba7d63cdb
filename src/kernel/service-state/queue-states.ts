/** The jobs of one queue, of all processes. */
export interface QueueState {
  name: string;
  /** Due now. */
  waiting: number;
  active: number;
  /** Age of the job that has waited longest; null: none waits. */
  oldestWaitingSeconds: number | null;
}

/** Port: the queues of this process. */
export abstract class QueueStates {
  /** A queue whose store does not answer is missing. */
  abstract list(): Promise<QueueState[]>;
}
