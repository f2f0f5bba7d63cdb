import { Injectable } from '@nestjs/common';
import { MoreThanOrEqual, type SelectQueryBuilder } from 'typeorm';
import type { TeamId, UserId } from '../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import { keysetPage } from '../../../platform/database/transactions/keyset-page.js';
import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import { Invite, type InviteId, type InviteRole, type InviteStatus } from '../domain/invite.js';
import { InviteRepository } from '../domain/invite.repository.js';

/** `Invite.statusAt` as conditions with the parameter `:now`. */
const HAS_STATUS: Readonly<Record<InviteStatus, string>> = {
  pending: 'accepted_at IS NULL AND revoked_at IS NULL AND expires_at > :now',
  accepted: 'accepted_at IS NOT NULL',
  revoked: 'revoked_at < expires_at',
  expired: `accepted_at IS NULL AND expires_at <= :now AND (revoked_at IS NULL OR revoked_at >= expires_at)`,
};

@Injectable()
export class PostgresInviteRepository extends InviteRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async add(invite: Invite): Promise<void> {
    await this.work.manager.insert(Invite, invite);
  }

  list(team: TeamId, status: InviteStatus | null, page: PageRequest, now: Date): Promise<Page<Invite>> {
    const query = this.ofTeam(team);
    if (status !== null) query.andWhere(`(${HAS_STATUS[status]})`, { now });
    return keysetPage(query, page);
  }

  find(teamId: TeamId, id: InviteId): Promise<Invite | null> {
    return this.work.manager.findOneBy(Invite, { teamId, id });
  }

  async findTeam(tokenDigest: Buffer): Promise<TeamId | null> {
    const invite = await this.work.manager.findOneBy(Invite, { tokenDigest });
    return invite?.teamId ?? null;
  }

  countPending(team: TeamId, now: Date): Promise<number> {
    return this.ofTeam(team).andWhere(HAS_STATUS.pending, { now }).getCount();
  }

  countMailedSince(teamId: TeamId, start: Date): Promise<number> {
    return this.work.manager.countBy(Invite, { teamId, byMail: true, createdAt: MoreThanOrEqual(start) });
  }

  isPending(tokenDigest: Buffer, now: Date): Promise<boolean> {
    return this.work.manager
      .createQueryBuilder(Invite, 'invites')
      .where('token_digest = :tokenDigest', { tokenDigest })
      .andWhere(HAS_STATUS.pending, { now })
      .getExists();
  }

  async use(tokenDigest: Buffer, user: UserId, now: Date): Promise<Invite | null> {
    const { affected } = await this.work.manager
      .createQueryBuilder()
      .update(Invite)
      .set({ acceptedAt: now, acceptedBy: user })
      .where('token_digest = :tokenDigest', { tokenDigest })
      .andWhere(HAS_STATUS.pending, { now })
      .execute();
    return affected === 1 ? this.work.manager.findOneBy(Invite, { tokenDigest }) : null;
  }

  async revoke(team: TeamId, id: InviteId, now: Date): Promise<boolean> {
    const { affected } = await this.work.manager
      .createQueryBuilder()
      .update(Invite)
      .set({ revokedAt: now })
      .where('team_id = :team AND id = :id', { team, id })
      .andWhere(HAS_STATUS.pending, { now })
      .execute();
    return affected === 1;
  }

  async revokePending(team: TeamId, email: string, now: Date): Promise<InviteId | null> {
    const [cleared] = await this.work.manager.query<[{ id: InviteId }[], number]>(
      `UPDATE invites SET revoked_at = $3
        WHERE team_id = $1 AND lower(email) = lower($2) AND accepted_at IS NULL AND revoked_at IS NULL
        RETURNING id`,
      [team, email, now],
    );
    return cleared[0]?.id ?? null;
  }

  async revokeOfInviter(
    team: TeamId,
    inviter: UserId,
    roles: readonly InviteRole[],
    now: Date,
  ): Promise<InviteId[]> {
    const [revoked] = await this.work.manager.query<[{ id: InviteId }[], number]>(
      `UPDATE invites SET revoked_at = $4
        WHERE team_id = $1 AND invited_by = $2 AND role = ANY($3)
          AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > $4
        RETURNING id`,
      [team, inviter, roles, now],
    );
    return revoked.map(({ id }) => id).sort();
  }

  async deleteByUsers(email: string, users: readonly UserId[]): Promise<InviteId[]> {
    const [erased] = await this.work.manager.query<[{ id: InviteId }[], number]>(
      `DELETE FROM invites
        WHERE lower(email) = lower($1) OR invited_by = ANY($2) OR accepted_by = ANY($2) RETURNING id`,
      [email, users],
    );
    return erased.map(({ id }) => id);
  }

  private ofTeam(team: TeamId): SelectQueryBuilder<Invite> {
    return this.work.manager.createQueryBuilder(Invite, 'invite').where('invite.teamId = :team', { team });
  }
}
