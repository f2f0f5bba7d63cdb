import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { InvalidCredential } from '../../../kernel/errors.js';
import type { KeyId, OAuthClient, Principal } from '../../../kernel/principal.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { TeamsService } from '../teams/team/teams.service.js';
import { ApiKeysService, type KeyInput } from './api-keys.service.js';
import type { ApiKey } from './domain/api-key.js';
import { ApiKeyRepository } from './domain/api-key.repository.js';

/** Clients that a user allows at the same time in a team: the oldest makes place for the next. */
const MAX_CLIENTS = 20;

/** The keys that stand for what users have allowed programs to do. No text of such a key exists: only access tokens do. */
@Injectable()
export class ClientKeysService {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly keys: ApiKeyRepository,
    private readonly teams: TeamsService,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Issues the key of a grant by the user of the caller. It does not count toward the limit of the team.
   *
   * @throws InvalidCredential when the team was deleted, or the caller is no longer a member
   */
  issue(
    { teamId, userId }: Principal,
    request: Pick<KeyInput, 'name' | 'mode' | 'expiresAt' | 'scopes'> & { client: OAuthClient },
  ): Promise<ApiKey> {
    return this.work.run(async () => {
      await this.teams.lock(teamId);
      if (userId === null || (await this.teams.access(teamId, userId)) === null)
        throw new InvalidCredential();
      const open = await this.keys.listOfClientsForUpdate(teamId, userId, this.clock.now());
      for (const { id } of open.slice(0, Math.max(0, open.length - MAX_CLIENTS + 1)))
        await this.apiKeys.revokeAny(id);
      return this.apiKeys.addForClient({ ...request, teamId, userId });
    });
  }

  /** The principal of an access token of this key; null if the key is no longer valid. @param expiresAt of the token. */
  async principalOf(id: KeyId, expiresAt: Date): Promise<Principal | null> {
    const key = await this.keys.find(id);
    const principal = key && (await this.apiKeys.principalOf(key));
    if (principal === null) return null;
    const end = principal.expiresAt;
    return { ...principal, expiresAt: end !== null && end < expiresAt ? end : expiresAt };
  }

  /** Whether its grant still holds: it was not revoked, has not expired, and its user is a member of the team. */
  async isValid(id: KeyId): Promise<boolean> {
    return (await this.principalOf(id, this.clock.now())) !== null;
  }

  /** The client has ended the grant, or must not have it any longer. */
  async revoke(id: KeyId): Promise<void> {
    await this.apiKeys.revokeAny(id);
  }
}
