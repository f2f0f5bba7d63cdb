import type { TeamId, UserId } from '../../../../kernel/principal.js';
import { CompiledPolicy } from './compiled-policy.js';
import type { Rule } from './rule.js';

/** The rules by which a team decides about addresses. */
export class Policy {
  private prepared: CompiledPolicy | undefined;

  constructor(
    readonly teamId: TeamId,
    /** Rises with each change; 0: the team has never had rules. */
    readonly version: number,
    /** The first that matches decides. */
    readonly rules: readonly Rule[],
    /** null: there was no change, here and in the next. */
    readonly updatedAt: Date | null,
    /** null: a service key, or the user was deleted. */
    readonly updatedBy: UserId | null,
  ) {}

  /** Prepared at the first use. */
  get compiled(): CompiledPolicy {
    return (this.prepared ??= new CompiledPolicy(this.rules));
  }

  static none(teamId: TeamId): Policy {
    return new Policy(teamId, 0, [], null, null);
  }
}
