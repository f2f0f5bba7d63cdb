import { FairSemaphore } from '../../../kernel/concurrency/fair-semaphore.js';
import { KeyedLimiter } from '../../../kernel/concurrency/keyed-limiter.js';
import type { TeamId } from '../../../kernel/principal.js';
import type { StatementRunner } from './publishable-store.js';

/** Of the ten connections of a process; operations on lists use four others. */
const TOTAL = 4;
const PER_TEAM = 2;
/** Running and waiting calls of a team. */
const MAX_CALLS = 100;

/**
 * Database connections that the counters of publishable keys may use in this process, fairly by team: the
 * visitors of one team's pages must not make the requests of other teams wait.
 */
export class PublishableSlots {
  private readonly calls = new KeyedLimiter({ perKey: MAX_CALLS, total: Number.POSITIVE_INFINITY });
  private readonly statements = new FairSemaphore({ total: TOTAL, perKey: PER_TEAM });

  /**
   * @param call its statements wait for a slot.
   * @returns null: the team has too many calls. The call is not made then.
   */
  run<T>(team: TeamId, call: (inSlot: StatementRunner) => Promise<T>): Promise<T> | null {
    return this.calls.tryAcquire(team) ? this.runCounted(team, call) : null;
  }

  private async runCounted<T>(team: TeamId, call: (inSlot: StatementRunner) => Promise<T>): Promise<T> {
    try {
      return await call((statement) => this.statements.run(team, statement));
    } finally {
      this.calls.release(team);
    }
  }
}
