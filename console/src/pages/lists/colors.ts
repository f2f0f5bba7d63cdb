import type { Status } from '../../api/client';
import { STATUS_OF_REASON } from '../../api/constants';

const STATUSES: Partial<Record<string, Status>> = STATUS_OF_REASON;

/** A reason of a newer service counts as unknown. */
export const statusOfReason = (reason: string): Status => STATUSES[reason] ?? 'unknown';
