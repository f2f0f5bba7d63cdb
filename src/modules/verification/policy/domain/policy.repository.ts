import type { TeamId } from '../../../../kernel/principal.js';
import type { Policy } from './policy.js';

export abstract class PolicyRepository {
  /** Cached: changes by other processes take effect within 4 s, own changes at once. The same object until it changes. */
  abstract find(team: TeamId): Promise<Policy>;

  /** The current one, not from the cache. */
  abstract findCurrent(team: TeamId): Promise<Policy>;

  /** Of two concurrent changes, the second gets the policy after the first; within the open unit of work. */
  abstract findForUpdate(team: TeamId): Promise<Policy>;

  abstract save(policy: Policy): Promise<void>;
}
