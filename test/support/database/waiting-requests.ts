import type { LimitName } from '../../../src/engine/limits/connection-limit.js';
import { SharedLimitsModule } from '../../../src/modules/verification/mail-servers/shared-limits.module.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';

/** A process that has all five sessions of the provider, and more requests that wait for one. */
export async function waitingRequests(
  databaseUrl: string,
  provider: string,
  waiting: number,
  blockedBy: LimitName,
): Promise<void> {
  const source = await createDataSource(databaseUrl, [], 1).initialize();
  const use = { held: 5, open: 5, wanted: 5, queued: waiting, blockedBy, limit: 5, isLearned: false };
  await SharedLimitsModule.permitsIn(source).sync('busy', [{ egress: 'direct', provider, ...use }]);
  await source.destroy();
}
