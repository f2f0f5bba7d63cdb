import { Injectable } from '@nestjs/common';
import type { TeamId, TierName, UserId } from '../../kernel/language.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { TeamsService } from '../teams/teams.service.js';

/** A new account, with the only sight of its keys there will ever be. */
export interface NewAccount {
  user: { id: UserId; email: string };
  team: { id: TeamId; name: string; tier: TierName };
  liveKey: string;
  testKey: string;
}

@Injectable()
export class AccountsService {
  constructor(
    private readonly teams: TeamsService,
    private readonly keys: ApiKeysService,
    private readonly work: UnitOfWork,
  ) {}

  /** A team with its owner and one key of each mode. */
  create(email: string, teamName: string, tier: TierName): Promise<NewAccount> {
    return this.work.run(async () => {
      const { user, team } = await this.teams.found(email, teamName, tier);
      const owner = { teamId: team.id, userId: user.id };
      const live = await this.keys.issue({ ...owner, name: 'first live key', mode: 'live' });
      const test = await this.keys.issue({ ...owner, name: 'first test key', mode: 'test' });
      return {
        user: { id: user.id, email: user.email },
        team: { id: team.id, name: team.name, tier },
        liveKey: live.secret,
        testKey: test.secret,
      };
    });
  }

  /** The account of whoever runs Rcpt for themselves; null when there is a team already. */
  async createFirst(): Promise<NewAccount | null> {
    if (await this.teams.hasAny()) return null;
    return this.create('owner@localhost', 'My team', 'unlimited');
  }
}
