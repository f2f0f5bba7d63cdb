import { REASONS, STATUS_OF, type Reason, type Status } from '../../../kernel/verdict.js';

export interface ResultFilter {
  status?: Status | undefined;
  reason?: Reason | undefined;
  /** A part of the address as it was sent, in upper or lower case. */
  text?: string | undefined;
}

/** The reasons to filter by; null: those of all rows, also without a verdict. */
export function reasonsOf({ status, reason }: ResultFilter): Reason[] | null {
  if (status === undefined && reason === undefined) return null;
  return REASONS.filter(
    (candidate) =>
      (reason ?? candidate) === candidate && (status === undefined || STATUS_OF[candidate] === status),
  );
}
