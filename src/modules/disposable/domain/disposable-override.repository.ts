import type { TeamId } from '../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import type { Soon } from '../../../kernel/soon.js';
import type { DisposableOverride, OverrideVerdict } from './disposable-override.js';
import type { DisposableCandidate } from './disposable-candidate.js';

/** Domain → what is said about it. */
export type OverridesInForce = ReadonlyMap<string, OverrideVerdict>;

/** Port: overrides of the teams, of the operator, and those that wait for the operator. */
export abstract class DisposableOverrideRepository {
  /** False: the team has one for this very domain already. */
  abstract add(override: DisposableOverride): Promise<boolean>;

  /** Puts an override of the operator's in the place of the one for this domain, if there is one. */
  abstract putOperators(override: DisposableOverride): Promise<void>;

  /** @returns what was removed; null: it was not there. */
  abstract remove(team: TeamId, domain: string): Promise<DisposableOverride | null>;

  abstract page(team: TeamId, request: PageRequest): Promise<Page<DisposableOverride>>;

  abstract count(team: TeamId): Promise<number>;

  abstract countPending(team: TeamId): Promise<number>;

  /** All that wait for the operator, whoever's they are, the oldest first. */
  abstract pending(): Promise<DisposableOverride[]>;

  /** Marks a pending override as merged. @returns it; null: none with this id is pending. */
  abstract markMerged(id: string, now: Date): Promise<DisposableOverride | null>;

  /** The same, the other way: it waits no more, and is not noticed again. */
  abstract markRejected(id: string, now: Date): Promise<DisposableOverride | null>;

  /**
   * Adds what was noticed to what waits for the operator, or counts it there. What the operator
   * has decided about already stays as it is.
   *
   * @param most that may wait; beyond it nothing is added.
   */
  abstract recordCandidates(noticed: readonly DisposableCandidate[], most: number): Promise<void>;

  /**
   * From memory: at most 4 s behind other processes, never behind this one.
   *
   * @param team null: those of the operator.
   */
  abstract inForce(team: TeamId | null): Soon<OverridesInForce>;
}
