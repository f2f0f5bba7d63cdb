import { newId } from '../../../kernel/ids.js';
import type { Role, TeamId, UserId } from '../../../kernel/principal.js';

export type MemberId = string;

export class Member {
  readonly id: MemberId = newId('mem');

  constructor(
    readonly teamId: TeamId,
    readonly userId: UserId,
    public role: Role,
    readonly joinedAt: Date,
  ) {}
}

export type NamedMember = Omit<Member, 'teamId'> & { email: string };
