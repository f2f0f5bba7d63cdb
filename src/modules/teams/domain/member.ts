import { newId } from '../../../kernel/ids.js';
import type { Role, TeamId, UserId } from '../../../kernel/principal.js';

export type MemberId = string;

/** A user's membership in a team. */
export class Member {
  readonly id: MemberId = newId('mem');

  constructor(
    readonly teamId: TeamId,
    readonly userId: UserId,
    public role: Role,
    readonly joinedAt: Date,
  ) {}
}

/** A member with the address. */
export interface NamedMember {
  id: MemberId;
  userId: UserId;
  email: string;
  role: Role;
  joinedAt: Date;
}
