import type { TeamId } from '../../../kernel/principal.js';

/** Port: removes what is kept about one address, whichever team's it is. */
export abstract class AddressErasureRepository {
  /** What the checks of these teams have learned. @returns how many facts. */
  abstract eraseFacts(teams: readonly TeamId[], hash: Buffer): Promise<number>;

  /** Checks that wait to be made again, and verdicts of those that were. @returns how many. */
  abstract eraseDeferredChecks(hash: Buffer): Promise<number>;
}
