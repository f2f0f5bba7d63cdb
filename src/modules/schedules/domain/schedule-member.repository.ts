import type { Status } from '../../../kernel/verdict.js';
import type { ScheduleId } from './schedule.js';
import type { RecordedResults } from './schedule-run.js';

/** The status of an address. */
export interface MemberStatus {
  /** In hexadecimal. */
  addressKey: string;
  status: Status;
  verifiedAt: Date;
}

/** Port: the latest status of each address of a schedule. */
export abstract class ScheduleMemberRepository {
  /** Those of the addresses that were verified since then. */
  abstract listVerifiedSince(
    scheduleId: ScheduleId,
    addressKeys: readonly string[],
    since: Date,
  ): Promise<ReadonlySet<string>>;

  /** @param members each address once. @param keptDays after its verification. */
  abstract record(
    scheduleId: ScheduleId,
    members: readonly MemberStatus[],
    keptDays: number,
  ): Promise<RecordedResults>;

  /** Of all schedules. @returns how many were deleted. */
  abstract deleteAddress(addressKey: string): Promise<number>;
}
