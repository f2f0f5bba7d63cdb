import { Injectable } from '@nestjs/common';
import { IsNull, LessThanOrEqual, MoreThan, MoreThanOrEqual, Not, Raw, type FindOptionsWhere } from 'typeorm';
import type { TeamId, UserId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import { keysetPage } from '../../../../platform/database/transactions/keyset-page.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { Invite, type InviteId, type InviteRole, type InviteStatus } from '../domain/invite.js';
import { InviteRepository } from '../domain/invite.repository.js';

/** `Invite.statusAt` as conditions. */
const HAS_STATUS: Readonly<Record<InviteStatus, (now: Date) => FindOptionsWhere<Invite>>> = {
  pending: (now) => ({ acceptedAt: IsNull(), revokedAt: IsNull(), expiresAt: MoreThan(now) }),
  accepted: () => ({ acceptedAt: Not(IsNull()) }),
  revoked: () => ({ revokedAt: Raw((column) => `${column} < expires_at`) }),
  expired: (now) => ({
    acceptedAt: IsNull(),
    expiresAt: LessThanOrEqual(now),
    revokedAt: Raw((column) => `(${column} IS NULL OR ${column} >= expires_at)`),
  }),
};
const { pending } = HAS_STATUS;

@Injectable()
export class PostgresInviteRepository extends InviteRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async add(invite: Invite): Promise<void> {
    await this.work.manager.insert(Invite, invite);
  }

  list(teamId: TeamId, status: InviteStatus | null, page: PageRequest, now: Date): Promise<Page<Invite>> {
    const where = { teamId, ...(status !== null && HAS_STATUS[status](now)) };
    return keysetPage(this.work.manager.createQueryBuilder(Invite, 'invite').where(where), page);
  }

  find(teamId: TeamId, id: InviteId): Promise<Invite | null> {
    return this.work.manager.findOneBy(Invite, { teamId, id });
  }

  findByDigest(tokenDigest: Buffer): Promise<Invite | null> {
    return this.work.manager.findOneBy(Invite, { tokenDigest });
  }

  countPending(teamId: TeamId, now: Date): Promise<number> {
    return this.work.manager.countBy(Invite, { teamId, ...pending(now) });
  }

  countMailedSince(teamId: TeamId, start: Date): Promise<number> {
    return this.work.manager.countBy(Invite, { teamId, byMail: true, createdAt: MoreThanOrEqual(start) });
  }

  async accept(id: InviteId, acceptedBy: UserId, now: Date): Promise<boolean> {
    const changes = { acceptedAt: now, acceptedBy };
    const { affected } = await this.work.manager.update(Invite, { id, ...pending(now) }, changes);
    return affected === 1;
  }

  async revoke(teamId: TeamId, id: InviteId, now: Date): Promise<boolean> {
    const where = { teamId, id, ...pending(now) };
    const { affected } = await this.work.manager.update(Invite, where, { revokedAt: now });
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

  async deleteByUsers(spellings: readonly string[], users: readonly UserId[]): Promise<InviteId[]> {
    const [erased] = await this.work.manager.query<[{ id: InviteId }[], number]>(
      // In one order: two of them may be erased at once.
      `DELETE FROM invites WHERE id = ANY (ARRAY(
         SELECT id FROM invites
          WHERE lower(email) IN (SELECT lower(unnest($1::text[]))) OR invited_by = ANY($2) OR accepted_by = ANY($2)
          ORDER BY id FOR UPDATE)) RETURNING id`,
      [spellings, users],
    );
    return erased.map(({ id }) => id);
  }
}
