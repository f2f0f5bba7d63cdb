import { OwnerLimiter } from '../../../kernel/concurrency/owner-limiter.js';
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
  private readonly calls = new OwnerLimiter(Number.POSITIVE_INFINITY, MAX_CALLS);
  private readonly statements = new OwnerLimiter(TOTAL, PER_TEAM);

  /** Whether another call of the team should be refused. */
  isFull(team: TeamId): boolean {
    return this.calls.countOf(team) >= MAX_CALLS;
  }

  /** @param call its statements wait for a slot. */
  run<T>(team: TeamId, call: (inSlot: StatementRunner) => Promise<T>): Promise<T> {
    return this.calls.run(team, () => call((statement) => this.statements.run(team, statement)));
  }
}
