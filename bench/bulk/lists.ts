import { setTimeout as pause } from 'node:timers/promises';
import type { BulkJobResponse } from '../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import type { BulkFleet } from '../../test/support/processes/bulk-fleet.js';

export const emailOf = (n: number) => `person${n}.name@domain${n % 5_000}.example.com`;
export const listOf = (rows: number) => Array.from({ length: rows }, (_, n) => emailOf(n));
export const rate = (rows: number, ms: number) => Math.round((rows / ms) * 1000);

export async function ended(fleet: BulkFleet, id: string, key: string): Promise<void> {
  while ((await fleet.get<BulkJobResponse>(`/v1/bulk-jobs/${id}`, key)).finished_at === null) await pause(50);
}
