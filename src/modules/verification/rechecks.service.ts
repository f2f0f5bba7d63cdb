import { Injectable } from '@nestjs/common';
import { DEFERRED_REASONS } from '../../engine/judge.js';
import { Clock } from '../../kernel/clock.js';
import type { TeamId } from '../../kernel/principal.js';
import type { Verdict } from '../../kernel/verdict.js';
import { nextRecheck, type ClaimedRecheck, type DeferredRow, type Recheck } from './domain/recheck.js';
import { RecheckRepository } from './domain/recheck.repository.js';

/** The stored rechecks. `RecheckRunService` carries them out. */
@Injectable()
export class RechecksService {
  constructor(
    private readonly rechecks: RecheckRepository,
    private readonly clock: Clock,
  ) {}

  /** Whether a recheck may change the answer. */
  isDeferred({ reason }: Verdict): boolean {
    return DEFERRED_REASONS.has(reason);
  }

  /** Adds deferred rows of a list, within the open unit of work. */
  async deferRows(list: { teamId: TeamId; list: string }, rows: readonly DeferredRow[]): Promise<void> {
    const now = this.clock.now();
    const dueAt = nextRecheck({ firstRequestedAt: now, attempts: 0 });
    if (dueAt !== null && rows.length > 0) await this.rechecks.addRows(list, rows, now, dueAt);
  }

  /** The hashes of these, in hexadecimal, that are deferred rows of the list. */
  deferredOf(list: string, hashes: readonly Buffer[]): Promise<ReadonlySet<string>> {
    return this.rechecks.deferredOf(list, hashes);
  }

  /** How many rows of these lists are deferred, and when the next one is due. */
  waitingOf(
    lists: readonly string[],
  ): Promise<ReadonlyMap<string, { rows: number; nextAttemptAt: Date | null }>> {
    return lists.length === 0 ? Promise.resolve(new Map()) : this.rechecks.waitingOf(lists);
  }

  /** Deletes those whose lease is still held, within the open unit of work. @returns their ids. */
  dequeue(claimed: readonly ClaimedRecheck[]): Promise<Set<string>> {
    return this.rechecks.dequeue(claimed);
  }

  /** Deletes some of a list, due or not, within the open unit of work. */
  dequeueOfList(list: string, limit: number): Promise<Recheck[]> {
    return this.rechecks.dequeueOfList(list, limit);
  }

  /** Deletes all of a list that has ended. */
  deleteByList(list: string): Promise<void> {
    return this.rechecks.deleteByList(list);
  }

  /** The verdict of a `verification.completed` event; null when it was erased. */
  verdict(checkId: string): Promise<Verdict | null> {
    return this.rechecks.verdict(checkId);
  }

  /** Deletes expired verdicts. @returns how many. */
  eraseExpired(): Promise<number> {
    return this.rechecks.eraseExpired(this.clock.now());
  }

  /** Deletes those of a deleted team. @returns how many. */
  deleteByTeam(teamId: TeamId): Promise<number> {
    return this.rechecks.deleteByTeam(teamId);
  }
}
