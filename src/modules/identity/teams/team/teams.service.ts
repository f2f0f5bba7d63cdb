import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '../../../../engine/address/email-address.js';
import { AuditLog } from '../../../../kernel/audit-log.js';
import { Clock } from '../../../../kernel/clock.js';
import { Events } from '../../../../kernel/events.js';
import { InvalidCredential, InvalidRequest, NotFound, RoleRequired } from '../../../../kernel/errors.js';
import type { Principal, Role, TeamId, TeamRules, TierName, UserId } from '../../../../kernel/principal.js';
import { OutgoingMails } from '../../../../kernel/mail.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { TiersService } from '../../tiers/tiers.service.js';
import { lockTeamAs } from '../domain/lock-team.js';
import { type Activity, Member, type NamedMember, Team } from '../domain/team.js';
import { TeamRepository, type TeamOfUser } from '../domain/team.repository.js';

/** The access rights of a key in its team. */
export interface TeamAccess {
  /** In force. */
  tier: TierName;
  role: Role;
  rules: TeamRules;
  /** The retention of the tier. */
  maxRetentionDays: number;
}

export interface TeamView extends TeamAccess {
  team: Team;
  members: NamedMember[];
}

/** A team as the operator sees it. */
export type TeamSummary = Pick<TeamView, 'team' | 'tier' | 'members'>;

export type { Activity, TeamOfUser };

export interface TeamChanges {
  name?: string | undefined;
  retentionDays?: number | undefined;
  roleIsRisky?: boolean | undefined;
}

const TEAMS_AT_ONCE = 1_000;
const MAX_TEAMS_OF_USER = 100;

@Injectable()
export class TeamsService {
  constructor(
    private readonly teams: TeamRepository,
    private readonly tiers: TiersService,
    private readonly mails: OutgoingMails,
    private readonly events: Events,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Creates a team with the user as its owner. @param isFirst the operator's team. */
  create(owner: UserId, teamName: string, tier: TierName, isFirst = false): Promise<Team> {
    return this.work.run(async () => {
      const now = this.clock.now();
      const team = new Team(teamName, this.tiers.get(tier).name, now, isFirst);
      await this.teams.add(team);
      await this.teams.addMember(new Member(team.id, owner, 'owner', now));
      return team;
    });
  }

  /** @throws RoleRequired unless the caller owns the first team */
  async requireOperator({ teamId, userId }: Principal): Promise<void> {
    const { team, role } = await this.get(teamId, userId);
    if (!team.isFirst || role !== 'owner')
      throw new RoleRequired(null, 'Only the owner of the first team of this installation may do this.');
  }

  /** Whether a team that is created in the open unit of work is the first. */
  lockFirst(): Promise<boolean> {
    return this.teams.lockFirst();
  }

  /** Adds a member to the operator's team. @returns false: there is no such team. */
  addToFirst(userId: UserId, role: Role): Promise<boolean> {
    return this.work.run(async () => {
      const first = await this.teams.findFirst();
      // It may be deleted before it is locked.
      const team = first && (await this.teams.findForUpdate(first.id));
      if (team === null) return false;
      const member = new Member(team.id, userId, role, this.clock.now());
      await this.teams.addMember(member);
      const target = { type: 'member', id: member.id };
      await this.audit.record({ action: 'member.joined', teamId: team.id, target, details: { role } });
      return true;
    });
  }

  /** The operators: the owners of the first team; null: there is no such team. */
  async operators(): Promise<{ teamId: TeamId; owners: NamedMember[] } | null> {
    const first = await this.teams.findFirst();
    if (first === null) return null;
    const members = await this.teams.listMembers(first.id);
    return { teamId: first.id, owners: members.filter(({ role }) => role === 'owner') };
  }

  hasAny(): Promise<boolean> {
    return this.teams.hasAny();
  }

  /** The first 100 teams of the user, in the order in which the user joined. */
  ofUser(userId: UserId): Promise<TeamOfUser[]> {
    return this.teams.listByUser(userId, MAX_TEAMS_OF_USER);
  }

  /** The access of a key of this team and user; null when the team or the membership was deleted. */
  async access(teamId: TeamId, userId: UserId | null): Promise<TeamAccess | null> {
    const team = await this.teams.find(teamId);
    return team && this.membershipIn(team, userId);
  }

  /**
   * Locks the team until the open unit of work ends: its membership cannot change, and other callers of
   * `lock` wait. Must come before any row of the team is locked, to avoid a deadlock.
   */
  async lock(teamId: TeamId): Promise<void> {
    await this.teams.findForUpdate(teamId);
  }

  /** Prevents deletion of the team until the open unit of work ends. @returns false: it was deleted. */
  async lockShared(teamId: TeamId): Promise<boolean> {
    return (await this.teams.findForKeyShare(teamId)) !== null;
  }

  async recordActivity(activity: readonly Activity[]): Promise<void> {
    if (activity.length > 0) await this.teams.saveActivity(activity);
  }

  /** Days of retention that each team has set; null: none. Deleted teams are missing. */
  retentionDays(ids: readonly TeamId[]): Promise<ReadonlyMap<TeamId, number | null>> {
    return this.teams.listRetentionDays(ids);
  }

  /**
   * @param userId null: a service key. @throws InvalidCredential when the team or the membership was
   * deleted.
   */
  async get(teamId: TeamId, userId: UserId | null): Promise<TeamView> {
    const team = await this.teams.find(teamId);
    const membership = team && (await this.membershipIn(team, userId));
    if (team === null || membership === null) throw new InvalidCredential();
    return { team, ...membership, members: await this.teams.listMembers(teamId) };
  }

  /** @throws InvalidRequest when the retention would exceed that of the tier. */
  update(caller: Principal, changes: TeamChanges): Promise<TeamView> {
    return this.work.run(async () => {
      const { team } = await lockTeamAs('admin', this.teams, caller);
      const max = this.maxRetention(team);
      if ((changes.retentionDays ?? 0) > max) throw retentionTooLong(max);
      const settings = settingsIn(team, changes);
      // A request that changes nothing is not in the log.
      if (Object.keys(settings).length === 0) return this.get(team.id, caller.userId);
      team.name = changes.name ?? team.name;
      team.retentionDays = changes.retentionDays ?? team.retentionDays;
      team.roleIsRisky = changes.roleIsRisky ?? team.roleIsRisky;
      await this.teams.save(team);
      await this.record('team.updated', team, settings);
      return this.get(team.id, caller.userId);
    });
  }

  /** Sets the base tier, by the operator. A suspended team's waiting invite mails are not sent. @throws NotFound */
  setBaseTier(teamId: TeamId, tier: TierName): Promise<void> {
    return this.work.run(async () => {
      const team = await this.teams.findForUpdate(teamId);
      if (team === null) throw new NotFound('There is no such team.');
      const from = team.baseTier;
      team.baseTier = this.tiers.get(tier).name;
      await this.teams.save(team);
      if (this.tiers.isSuspended(team.baseTier)) await this.mails.cancelOf(team.id, 'invite');
      await this.record('team.tier_set', team, { from, to: team.baseTier });
    });
  }

  /**
   * Sets the tier of the subscription; null: none.
   *
   * @returns the tier in force; null: the team was deleted.
   */
  setSubscriptionTier(teamId: TeamId, tier: TierName | null): Promise<TierName | null> {
    return this.work.run(async () => {
      const team = await this.teams.findForUpdate(teamId);
      if (team === null) return null;
      const from = team.subscriptionTier;
      team.subscriptionTier = tier && this.tiers.get(tier).name;
      if (from !== tier) {
        await this.teams.save(team);
        await this.record('team.subscription_tier_set', team, { from, to: tier });
      }
      return this.tiers.effective(team.baseTier, team.subscriptionTier);
    });
  }

  /** Deletes the team with all its data, and its users who have no other team. */
  delete(caller: Principal): Promise<void> {
    return this.work.run(async () => {
      const { team } = await lockTeamAs('owner', this.teams, caller);
      await this.deleteLocked(team);
    });
  }

  /** The same for a team that is locked by this unit of work. */
  async deleteLocked(team: Team): Promise<void> {
    await this.record('team.deleted', team, {});
    await this.events.publish({ type: 'team.deleted', teamId: team.id, data: {} });
    await this.teams.delete(team.id);
  }

  /**
   * Who pays for the team: its name, and the address of its owner. An address that nobody has confirmed could be that of
   * a stranger, to whom invoices would be sent; one without a dot in its domain gets no mail.
   */
  async billingContact(teamId: TeamId): Promise<{ name: string; email: string | null }> {
    const team = await this.teams.find(teamId);
    if (team === null) throw new InvalidCredential();
    const owner = (await this.teams.listMembers(teamId)).find(({ role }) => role === 'owner');
    const isConfirmed = await this.teams.isOwnerConfirmed(teamId);
    return {
      name: team.name,
      email: isConfirmed && owner && isMailable(owner.email) ? owner.email : null,
    };
  }

  /** Every team with its members, in order of its id, which is that of creation; for the operator. */
  async *all(): AsyncIterable<TeamSummary> {
    for await (const ids of this.allIds())
      for (const id of ids) {
        const team = await this.teams.find(id);
        if (team === null) continue;
        const tier = this.tiers.effective(team.baseTier, team.subscriptionTier);
        yield { team, tier, members: await this.teams.listMembers(id) };
      }
  }

  async *allIds(): AsyncIterable<readonly TeamId[]> {
    for (let after: TeamId | null = null, full = true; full;) {
      const ids: TeamId[] = await this.teams.listIds(after, TEAMS_AT_ONCE);
      if (ids.length > 0) yield ids;
      full = ids.length === TEAMS_AT_ONCE;
      after = ids.at(-1) ?? null;
    }
  }

  private async membershipIn(team: Team, userId: UserId | null): Promise<TeamAccess | null> {
    const role = userId === null ? 'member' : (await this.teams.findMember(team.id, userId))?.role;
    if (role === undefined) return null;
    const max = this.maxRetention(team);
    return {
      tier: this.tiers.effective(team.baseTier, team.subscriptionTier),
      role,
      rules: { roleIsRisky: team.roleIsRisky, retentionDays: Math.min(team.retentionDays ?? max, max) },
      maxRetentionDays: max,
    };
  }

  private maxRetention({ baseTier, subscriptionTier }: Team): number {
    return this.tiers.get(this.tiers.effective(baseTier, subscriptionTier)).retentionDays;
  }

  private record(action: string, { id }: Team, details: Record<string, unknown>): Promise<void> {
    return this.audit.record({ action, teamId: id, target: { type: 'team', id }, details });
  }
}

/** Payment providers take ASCII only. */
function isMailable(email: string): boolean {
  const parsed = parseEmailAddress(email);
  return parsed.ok && !parsed.address.international && parsed.address.domain.includes('.');
}

/** The audited details of a change: only what differs. The name is free text, so only the fact is logged. */
function settingsIn(
  before: Team,
  { name, retentionDays, roleIsRisky }: TeamChanges,
): Record<string, unknown> {
  const differs = <T>(from: T, to: T | undefined): to is T => to !== undefined && to !== from;
  return {
    ...(differs(before.name, name) && { name: 'changed' }),
    ...(differs(before.retentionDays, retentionDays) && {
      retention_days: { from: before.retentionDays, to: retentionDays },
    }),
    ...(differs(before.roleIsRisky, roleIsRisky) && {
      role_is_risky: { from: before.roleIsRisky, to: roleIsRisky },
    }),
  };
}

function retentionTooLong(max: number): InvalidRequest {
  const message = `The team’s tier keeps results for at most ${max} days.`;
  return new InvalidRequest([{ pointer: '/retention_days', code: 'too_big', message, limit: max }]);
}
