import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../kernel/audit-log.js';
import {
  atLeast,
  hasScope,
  type Feature,
  type Principal,
  type TeamId,
  type TierName,
  type UserId,
} from '../../../kernel/principal.js';
import { Pause } from '../../../kernel/service-state/pause.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { Config } from '../../../platform/config/config.js';
import { ApiKeysService, type IssuedKey } from '../../identity/api-keys/api-keys.service.js';
import { PricesService, type TierPrice } from '../../billing/billing/prices.service.js';
import { TeamsService, type TeamView } from '../../identity/teams/team/teams.service.js';
import { UsersService, type User } from '../../identity/teams/users/users.service.js';
import { TiersService } from '../../identity/tiers/tiers.service.js';

/** A new account. Its keys are shown only here. */
export interface NewAccount {
  user: { id: UserId; email: string };
  team: { id: TeamId; name: string; tier: TierName };
  liveKey: string;
  testKey: string;
}

export interface CallerProfile {
  /** null: a service key. */
  user: User | null;
  team: TeamView;
  key: IssuedKey['key'];
  isPaused: boolean;
  features: Feature[];
  bulkLimit: number;
  /** Tiers that the caller may subscribe the team to, other than its own. */
  upgrades: TierName[];
  /** Of these, as far as they are known. */
  upgradePrices: readonly TierPrice[];
}

export const DEFAULT_TEAM_NAME = 'My team';

/** The operator asks for an account that a user has. */
export class AccountExists extends Error {
  constructor(
    readonly user: { id: UserId; email: string },
    readonly teams: readonly { id: TeamId; name: string }[],
  ) {
    super('The user has such a team');
  }
}

@Injectable()
export class AccountsService {
  constructor(
    private readonly users: UsersService,
    private readonly teams: TeamsService,
    private readonly keys: ApiKeysService,
    private readonly tiers: TiersService,
    private readonly prices: PricesService,
    private readonly config: Config,
    private readonly pause: Pause,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Creates a team with its owner and one key of each mode. The operator confirms the address.
   *
   * @param name of the team; null: the usual one.
   * @throws AccountExists when the user has such a team, or any team and no name is given.
   */
  create(email: string, name: string | null, tier: TierName): Promise<NewAccount> {
    return this.work.run(async () => {
      const user = await this.users.confirmedByOperator(email);
      const teams = await this.teamsOf(user.id);
      if (name === null ? teams.length > 0 : teams.some((team) => team.name === name))
        throw new AccountExists(user, teams);
      const teamName = name ?? DEFAULT_TEAM_NAME;
      const isFirst = await this.teams.lockFirst();
      const team = await this.teams.create(user.id, teamName, tier, isFirst);
      const owner = { teamId: team.id, userId: user.id };
      const live = await this.keys.issue({ ...owner, name: 'first live key', mode: 'live' });
      const test = await this.keys.issue({ ...owner, name: 'first test key', mode: 'test' });
      const target = { type: 'user', id: user.id };
      await this.audit.record({ action: 'account.created', teamId: team.id, target });
      return {
        user: { id: user.id, email: user.email },
        team: { id: team.id, name: team.name, tier },
        liveKey: live.secret,
        testKey: test.secret,
      };
    });
  }

  /** Creates the account of a self-hosted installation; null when a team exists. */
  async createFirst(): Promise<NewAccount | null> {
    if (await this.teams.hasAny()) return null;
    return this.create('owner@localhost', null, 'unlimited');
  }

  /** The caller's user and team. @throws NotFound when the team or the membership has been deleted. */
  async profile(caller: Principal): Promise<CallerProfile> {
    const { teamId, userId, keyId, tier, mode } = caller;
    const team = await this.teams.get(teamId, userId);
    const user = userId === null ? null : await this.users.get(userId);
    // Others are for keys that may read the team: a program that may only verify gets no addresses of persons.
    const mayReadTeam = hasScope(caller, []);
    const members = team.members.filter((member) => mayReadTeam || member.userId === userId);
    return {
      user,
      team: { ...team, members },
      key: await this.keys.get(teamId, keyId),
      isPaused: this.pause.isPaused,
      features: this.tiers.features(tier, mode),
      bulkLimit: this.tiers.bulkLimit(tier, mode),
      ...(await this.upgrades(caller)),
    };
  }

  private async teamsOf(userId: UserId): Promise<TeamView['team'][]> {
    const members = await this.users.memberships(userId);
    return Promise.all(members.map(async ({ teamId }) => (await this.teams.get(teamId, userId)).team));
  }

  private async upgrades(caller: Principal): Promise<Pick<CallerProfile, 'upgrades' | 'upgradePrices'>> {
    const upgrades = this.tiersToBuy(caller);
    if (upgrades.length === 0) return { upgrades, upgradePrices: [] };
    const prices = await this.prices.list();
    return { upgrades, upgradePrices: prices.filter((price) => upgrades.includes(price.tier)) };
  }

  private tiersToBuy(caller: Principal): TierName[] {
    const { tier, role, mode } = caller;
    const maySubscribe = hasScope(caller, []) && atLeast(role, 'admin') && mode === 'live';
    if (!maySubscribe || this.tiers.isSuspended(tier)) return [];
    const onSale = new Set(this.config.billing?.prices.map((price) => price.tier));
    return [...onSale].filter((name) => name !== tier);
  }
}
