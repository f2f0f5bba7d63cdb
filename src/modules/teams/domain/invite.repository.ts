import type { TeamId, UserId } from '../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import type { Invite, InviteId, InviteStatus } from './invite.js';

/** Port: invites, found by the digest of their token. */
export abstract class InviteRepository {
  abstract add(invite: Invite): Promise<void>;

  /** Newest first. @param status null: all of them. */
  abstract page(
    team: TeamId,
    status: InviteStatus | null,
    page: PageRequest,
    now: Date,
  ): Promise<Page<Invite>>;

  /** The team that a token leads to, whatever became of the invite. */
  abstract teamOf(tokenDigest: Buffer): Promise<TeamId | null>;

  abstract isPending(tokenDigest: Buffer, now: Date): Promise<boolean>;

  abstract countPending(team: TeamId, now: Date): Promise<number>;
  abstract countMailedSince(team: TeamId, start: Date): Promise<number>;

  /** Uses the invite up; null when it is not pending: of any number of callers, one gets it. */
  abstract use(tokenDigest: Buffer, user: UserId, now: Date): Promise<Invite | null>;

  /** @returns whether it was pending. */
  abstract revoke(team: TeamId, id: InviteId, now: Date): Promise<boolean>;

  /** Removes invites to this address, in any letter case, and those that the users made or accepted. */
  abstract eraseOf(email: string, users: readonly UserId[]): Promise<InviteId[]>;

  /** Makes room for a new invite to this address, in any letter case. @returns the one that stood there. */
  abstract clear(team: TeamId, email: string, now: Date): Promise<InviteId | null>;
}
