import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { Events } from '../../kernel/events.js';
import { InvalidRequest } from '../../kernel/invalid-request.js';
import type { Principal, Role, TeamId, TeamRules, TierName, UserId } from '../../kernel/principal.js';
import { InvalidCredential } from '../../kernel/invalid-credential.js';
import { NotFound } from '../../kernel/not-found.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { TiersService } from '../tiers/tiers.service.js';
import { lockTeamAs } from './domain/lock-team.js';
import { Member, type NamedMember } from './domain/member.js';
import { Team } from './domain/team.js';
import { TeamRepository } from './domain/team.repository.js';
import { teamDeleted } from './domain/teams.events.js';

/** What a key needs to know of the team it belongs to. */
export interface TeamAccess {
  tier: TierName;
  role: Role;
  rules: TeamRules;
}

/** A team as a member sees it. */
export interface TeamView extends TeamAccess {
  team: Team;
  members: NamedMember[];
}

/** What a team may change about itself; what is left out stays. */
export interface TeamChanges {
  name?: string | undefined;
  retentionDays?: number | undefined;
  roleIsRisky?: boolean | undefined;
}

const TEAMS_AT_ONCE = 1_000;

@Injectable()
export class TeamsService {
  constructor(
    private readonly teams: TeamRepository,
    private readonly tiers: TiersService,
    private readonly events: Events,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Makes a team, and the user its owner. */
  create(owner: UserId, teamName: string, tier: TierName): Promise<Team> {
    return this.work.run(async () => {
      const now = this.clock.now();
      const team = new Team(teamName, this.tiers.get(tier).name, now);
      await this.teams.addTeam(team);
      await this.teams.addMember(new Member(team.id, owner, 'owner', now));
      return team;
    });
  }

  hasAny(): Promise<boolean> {
    return this.teams.anyTeam();
  }

  /** Where a key of this team and user stands; null when the team is gone or the user no longer in it. */
  async access(teamId: TeamId, userId: UserId | null): Promise<TeamAccess | null> {
    const team = await this.teams.team(teamId);
    return team && this.standingIn(team, userId);
  }

  /** @param userId null: a service key looks. @throws InvalidCredential when the team is gone or the user no longer in it. */
  async get(teamId: TeamId, userId: UserId | null): Promise<TeamView> {
    const team = await this.teams.team(teamId);
    const standing = team && (await this.standingIn(team, userId));
    if (team === null || standing === null) throw new InvalidCredential();
    return { team, ...standing, members: await this.teams.members(teamId) };
  }

  /** @throws InvalidRequest when data would be kept for longer than the tier keeps it. */
  update(caller: Principal, changes: TeamChanges): Promise<TeamView> {
    return this.work.run(async () => {
      const { team } = await lockTeamAs('admin', this.teams, caller);
      const most = this.mostRetention(team);
      if ((changes.retentionDays ?? 0) > most) throw keptTooLong(most);
      team.name = changes.name ?? team.name;
      team.retentionDays = changes.retentionDays ?? team.retentionDays;
      team.roleIsRisky = changes.roleIsRisky ?? team.roleIsRisky;
      await this.teams.changeTeam(team);
      await this.record('team.updated', team, settingsIn(changes));
      return this.get(team.id, caller.userId);
    });
  }

  /** The operator's word on what the team may do. @throws NotFound */
  setBaseTier(teamId: TeamId, tier: TierName): Promise<void> {
    return this.work.run(async () => {
      const team = await this.teams.lockForUpdate(teamId);
      if (team === null) throw new NotFound('There is no such team.');
      const from = team.baseTier;
      team.baseTier = this.tiers.get(tier).name;
      await this.teams.changeTeam(team);
      await this.record('team.tier_set', team, { from, to: team.baseTier });
    });
  }

  /**
   * What the team pays for; null: nothing.
   *
   * @returns the tier in force now; null: the team is gone.
   */
  setSubscriptionTier(teamId: TeamId, tier: TierName | null): Promise<TierName | null> {
    return this.work.run(async () => {
      const team = await this.teams.lockForUpdate(teamId);
      if (team === null) return null;
      const from = team.subscriptionTier;
      team.subscriptionTier = tier && this.tiers.get(tier).name;
      if (from !== tier) {
        await this.teams.changeTeam(team);
        await this.record('team.subscription_tier_set', team, { from, to: tier });
      }
      return this.tiers.inForce(team.baseTier, team.subscriptionTier);
    });
  }

  /** Erases the team with everything of it, and its users who belong to no other. */
  delete(caller: Principal): Promise<void> {
    return this.work.run(async () => {
      const { team } = await lockTeamAs('owner', this.teams, caller);
      await this.deleteLocked(team);
    });
  }

  /** The same for a team that this unit of work holds. */
  async deleteLocked(team: Team): Promise<void> {
    await this.record('team.deleted', team, {});
    await this.events.publish(teamDeleted(team.id));
    await this.teams.removeTeam(team.id);
  }

  /** The ids of all teams, some at a time. */
  async *allIds(): AsyncIterable<readonly TeamId[]> {
    for (let after: TeamId | null = null, full = true; full;) {
      const ids: TeamId[] = await this.teams.ids(after, TEAMS_AT_ONCE);
      if (ids.length > 0) yield ids;
      full = ids.length === TEAMS_AT_ONCE;
      after = ids.at(-1) ?? null;
    }
  }

  private async standingIn(team: Team, userId: UserId | null): Promise<TeamAccess | null> {
    const role = userId === null ? 'member' : (await this.teams.member(team.id, userId))?.role;
    if (role === undefined) return null;
    const most = this.mostRetention(team);
    return {
      tier: this.tiers.inForce(team.baseTier, team.subscriptionTier),
      role,
      rules: { roleIsRisky: team.roleIsRisky, retentionDays: Math.min(team.retentionDays ?? most, most) },
    };
  }

  private mostRetention({ baseTier, subscriptionTier }: Team): number {
    return this.tiers.get(this.tiers.inForce(baseTier, subscriptionTier)).retentionDays;
  }

  private record(action: string, { id }: Team, details: Record<string, unknown>): Promise<void> {
    return this.audit.record({ action, teamId: id, target: { type: 'team', id }, details });
  }
}

/** What the audit log keeps of a change; a name is people's own text, so only that it changed. */
function settingsIn({ name, retentionDays, roleIsRisky }: TeamChanges): Record<string, unknown> {
  return {
    ...(name !== undefined && { name: 'changed' }),
    ...(retentionDays !== undefined && { retention_days: retentionDays }),
    ...(roleIsRisky !== undefined && { role_is_risky: roleIsRisky }),
  };
}

function keptTooLong(most: number): InvalidRequest {
  const message = `The team’s tier keeps results for at most ${most} days.`;
  return new InvalidRequest([{ pointer: '/retention_days', code: 'too_big', message }]);
}
