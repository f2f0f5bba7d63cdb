import { IdleThreads } from '../../../src/platform/threads/idle-threads.js';

/** Those of all applications in a worker, because a thread takes as much processor time to start as an application. */
class SharedThreads extends IdleThreads {
  /** The next application uses them. */
  override end(): void {
    return;
  }
}

export const SHARED_THREADS = new SharedThreads();
