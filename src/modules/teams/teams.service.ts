import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Role, TeamId, TeamRules, TierName, UserId } from '../../kernel/language.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { TiersService } from '../tiers/tiers.service.js';
import { Member } from './domain/member.js';
import { Team } from './domain/team.js';
import { TeamRepository } from './domain/team.repository.js';
import { User } from './domain/user.js';

/** What a key needs to know of the team it belongs to. */
export interface Standing {
  tier: TierName;
  role: Role;
  rules: TeamRules;
}

@Injectable()
export class TeamsService {
  constructor(
    private readonly teams: TeamRepository,
    private readonly tiers: TiersService,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Makes a team whose owner is the user with this address, who is made too if new. */
  found(email: string, teamName: string, tier: TierName): Promise<{ user: User; team: Team }> {
    return this.work.run(async () => {
      const now = this.clock.now();
      const known = await this.teams.userByEmail(email);
      const user = known ?? new User(email, now);
      if (known === null) await this.teams.addUser(user);
      const team = new Team(teamName, this.tiers.get(tier).name, now);
      await this.teams.addTeam(team);
      await this.teams.addMember(new Member(team.id, user.id, 'owner', now));
      return { user, team };
    });
  }

  hasAny(): Promise<boolean> {
    return this.teams.anyTeam();
  }

  /** Where a key of this team and user stands; null when the team is gone or the user no longer in it. */
  async standing(teamId: TeamId, userId: UserId | null): Promise<Standing | null> {
    const team = await this.teams.team(teamId);
    if (team === null) return null;
    const role = userId === null ? 'member' : (await this.teams.member(teamId, userId))?.role;
    if (role === undefined) return null;
    const tier = this.tiers.inForce(team.baseTier, team.subscriptionTier);
    const most = this.tiers.get(tier).retentionDays;
    return {
      tier,
      role,
      rules: { roleIsRisky: team.roleIsRisky, retentionDays: Math.min(team.retentionDays ?? most, most) },
    };
  }
}
