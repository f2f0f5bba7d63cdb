import type { Estimate } from './outcomes.js';
import type { MxRecord, Reason } from './verdict.js';

export interface TeamStatistics {
  /** Whether mail to the domain is returned although these mail servers accepted it. */
  returnsAccepted(hosts: readonly MxRecord[], domain: string): boolean;
  /**
   * @param reason `Verdict.reasonOfFacts`
   * @param delivered `AddressHistory.isReceiving`
   */
  estimate(
    reason: Reason,
    hosts: readonly MxRecord[],
    domain: string,
    delivered: boolean | null,
  ): Estimate | null;
}
