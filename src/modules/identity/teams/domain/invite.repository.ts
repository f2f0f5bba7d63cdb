import type { TeamId, UserId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { Invite, InviteId, InviteRole, InviteStatus } from './invite.js';

/** Port: invites, found by the digest of their token. */
export abstract class InviteRepository {
  abstract add(invite: Invite): Promise<void>;

  /** Newest first. @param status null: any. */
  abstract list(
    team: TeamId,
    status: InviteStatus | null,
    page: PageRequest,
    now: Date,
  ): Promise<Page<Invite>>;

  abstract find(team: TeamId, id: InviteId): Promise<Invite | null>;

  abstract findByDigest(tokenDigest: Buffer): Promise<Invite | null>;
  abstract countPending(team: TeamId, now: Date): Promise<number>;
  abstract countMailedSince(team: TeamId, start: Date): Promise<number>;

  /** @returns whether it was pending. Of concurrent callers, one succeeds. */
  abstract accept(id: InviteId, user: UserId, now: Date): Promise<boolean>;

  /** @returns whether it was pending. */
  abstract revoke(team: TeamId, id: InviteId, now: Date): Promise<boolean>;

  /** Revokes the pending invites that this user made for these roles. @returns their ids. */
  abstract revokeOfInviter(
    team: TeamId,
    inviter: UserId,
    roles: readonly InviteRole[],
    now: Date,
  ): Promise<InviteId[]>;

  /** Deletes invites to these spellings of an address, in any letter case, and those that the users made or accepted. */
  abstract deleteByUsers(spellings: readonly string[], users: readonly UserId[]): Promise<InviteId[]>;

  /**
   * Revokes the pending invite to this address, in any letter case. @returns its id; null: there was
   * none.
   */
  abstract revokePending(team: TeamId, email: string, now: Date): Promise<InviteId | null>;
}
