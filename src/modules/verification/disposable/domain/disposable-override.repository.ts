import type { TeamId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { DisposableCandidate, DisposableOverride, OverrideVerdict } from './disposable-override.js';

export type EffectiveOverrides = ReadonlyMap<string, OverrideVerdict>;

/** Port: overrides of the teams, of the operator, and those that are pending. */
export abstract class DisposableOverrideRepository {
  /** False: the team already has one for this domain. */
  abstract add(override: DisposableOverride): Promise<boolean>;

  /** Stores an override of the operator, in place of an earlier one of the domain. */
  abstract save(override: DisposableOverride): Promise<void>;

  /** @returns the removed override; null: there was none. */
  abstract delete(team: TeamId, domain: string): Promise<DisposableOverride | null>;

  abstract list(team: TeamId, request: PageRequest): Promise<Page<DisposableOverride>>;

  abstract count(team: TeamId): Promise<number>;

  abstract countPending(team: TeamId): Promise<number>;

  abstract listPending(): Promise<DisposableOverride[]>;

  /** Newest first. */
  abstract pagePending(request: PageRequest): Promise<Page<DisposableOverride>>;

  /** Marks a pending override; a rejected one is not proposed again. @returns null: there is no pending one with this id. */
  abstract markDecided(
    id: string,
    decision: { mergedAt: Date } | { rejectedAt: Date },
  ): Promise<DisposableOverride | null>;

  /**
   * Adds candidates to the pending overrides, or increments their counts. Domains that the operator has
   * decided on are not changed.
   *
   * @param max maximum number of pending ones.
   */
  abstract addCandidates(candidates: readonly DisposableCandidate[], max: number): Promise<void>;

  /**
   * Cached: changes by other processes take effect within 4 s, own changes at once.
   *
   * @param team null: those of the operator.
   */
  abstract listEffective(team: TeamId | null): Promise<EffectiveOverrides>;
}
