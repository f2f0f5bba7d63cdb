import type { AddressResult } from './address-result.js';
import type { ScheduleId } from './schedule.js';
import type { RecordedResults } from './schedule-run.js';

/** What the DNS alone has found about a domain. */
export interface DomainFinding {
  /** A-labels, lower case. */
  domain: string;
  foundAt: Date;
}

/** Port: the latest result of each address of a schedule, and the domains without mail that the DNS alone has found. */
export abstract class ScheduleMemberRepository {
  /** Of the addresses that were verified since then, by `addressKey`. */
  abstract listVerifiedSince(
    scheduleId: ScheduleId,
    addressKeys: readonly string[],
    since: Date,
  ): Promise<ReadonlyMap<string, AddressResult>>;

  /** A newer result stays. @param results each address once. @param keptDays after its verification. */
  abstract record(
    scheduleId: ScheduleId,
    results: readonly AddressResult[],
    keptDays: number,
  ): Promise<RecordedResults>;

  /** When each domain was found to have no mail for the first time; those that were not are missing. */
  abstract listDomains(
    scheduleId: ScheduleId,
    domains: readonly string[],
  ): Promise<ReadonlyMap<string, Date>>;

  /** The first finding stays. @param findings each domain once. */
  abstract recordDomains(
    scheduleId: ScheduleId,
    findings: readonly DomainFinding[],
    keptDays: number,
  ): Promise<void>;

  /** They have mail again. */
  abstract forgetDomains(scheduleId: ScheduleId, domains: readonly string[]): Promise<void>;

  /** Of all schedules. @returns how many were deleted. */
  abstract deleteAddress(addressKey: string): Promise<number>;
}
