import type { Reason, Status } from '../../../../kernel/verdict.js';

/** What is known of an address. */
export interface AddressResult {
  /** In hexadecimal. */
  addressKey: string;
  status: Status;
  reason: Reason;
  /** 0–100. */
  score: number;
  verifiedAt: Date;
}
