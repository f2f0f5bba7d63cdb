import type { Estimate } from './outcomes.js';
import type { MxRecord, Reason } from './verdict.js';

export interface TeamExperience {
  /** Whether the operator of these mail servers returns mail that they accepted. */
  returnsAccepted(hosts: readonly MxRecord[]): boolean;
  /** @param delivered the latest outcome of the address; null: none. */
  estimate(
    reason: Reason,
    hosts: readonly MxRecord[],
    domain: string,
    delivered: boolean | null,
  ): Estimate | null;
}
