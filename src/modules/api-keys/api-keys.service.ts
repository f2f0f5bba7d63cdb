import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Mode, Principal, TeamId, UserId } from '../../kernel/language.js';
import { TeamsService } from '../teams/teams.service.js';
import { ApiKey } from './domain/api-key.js';
import { ApiKeyRepository } from './domain/api-key.repository.js';
import { digestOf, looksLikeKey, newSecretKey } from './domain/secret-key.js';

export interface KeyRequest {
  teamId: TeamId;
  userId: UserId | null;
  name: string;
  mode: Mode;
}

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly teams: TeamsService,
    private readonly clock: Clock,
  ) {}

  /** Makes a key. Its text is in this answer and nowhere else, ever. */
  async issue(request: KeyRequest): Promise<{ key: ApiKey; secret: string }> {
    const secret = newSecretKey(request.mode);
    const { teamId, userId, name, mode } = request;
    const key = new ApiKey(teamId, userId, name, mode, digestOf(secret), secret.slice(-4), this.clock.now());
    await this.keys.add(key);
    return { key, secret };
  }

  /** Who shows this key; null for every key that is not good, whatever is wrong with it. */
  async authenticate(secret: string): Promise<Principal | null> {
    if (!looksLikeKey(secret)) return null;
    const key = await this.keys.byDigest(digestOf(secret));
    if (key === null || !key.isValid(this.clock.now())) return null;
    const standing = await this.teams.standing(key.teamId, key.userId);
    if (standing === null) return null;
    return { keyId: key.id, mode: key.mode, teamId: key.teamId, userId: key.userId, ...standing };
  }
}
