import { newId } from '../../../kernel/ids.js';
import type { Role, TeamId, UserId } from '../../../kernel/language.js';

/** A user's place in a team. */
export class Member {
  readonly id: string = newId('mem');

  constructor(
    readonly teamId: TeamId,
    readonly userId: UserId,
    public role: Role,
    readonly joinedAt: Date,
  ) {}
}
