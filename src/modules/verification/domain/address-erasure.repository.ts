import type { TeamId } from '../../../kernel/principal.js';

/** Port: deletes stored data about one address, across teams. */
export abstract class AddressErasureRepository {
  /** Deletes the facts of these teams. @returns how many. */
  abstract eraseFacts(teams: readonly TeamId[], hash: Buffer): Promise<number>;

  /** Deletes pending rechecks and stored verdicts of completed ones. @returns how many. */
  abstract eraseDeferredChecks(hash: Buffer): Promise<number>;
}
