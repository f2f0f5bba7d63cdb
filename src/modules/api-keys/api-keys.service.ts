import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { Events } from '../../kernel/events.js';
import { InvalidCredential } from '../../kernel/invalid-credential.js';
import { InvalidRequest } from '../../kernel/invalid-request.js';
import { atLeast, type KeyId, type Mode, type Principal } from '../../kernel/principal.js';
import type { TeamId, UserId } from '../../kernel/principal.js';
import { LimitReached } from '../../kernel/limit-reached.js';
import { NotFound } from '../../kernel/not-found.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { RoleRequired } from '../../kernel/role-required.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { TeamsService } from '../teams/teams.service.js';
import { KeyNotActive } from './api-keys.errors.js';
import { keyCreated, keyRevoked } from './domain/api-key.events.js';
import { ApiKey } from './domain/api-key.js';
import { ApiKeyRepository } from './domain/api-key.repository.js';
import { digestOf, looksLikeKey, newSecretKey } from './domain/secret-key.js';

/** A key to be made, and whom it is for. */
export interface KeyRequest {
  teamId: TeamId;
  /** null: a service key. */
  userId: UserId | null;
  name: string;
  mode: Mode;
  expiresAt?: Date | null;
}

/** What a caller asks for. */
export interface CreateKeyInput {
  name: string;
  mode: Mode;
  service: boolean;
  expiresAt: Date | null;
}

/** A new key, with the only sight of its text there will ever be. */
export interface IssuedKey {
  key: ApiKey;
  secret: string;
}

/** Keys of a team that are good at one time. */
const MOST_KEYS = 100;

@Injectable()
export class ApiKeysService {
  private readonly watchers: ((digest: string) => void)[] = [];

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly teams: TeamsService,
    private readonly events: Events,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** What stands for this key where its text must not; null when it cannot be one of ours. */
  digest(secret: string): string | null {
    return looksLikeKey(secret) ? inHex(digestOf(secret)) : null;
  }

  /** Who shows this key; null for every key that is not good, whatever is wrong with it. */
  async authenticate(secret: string): Promise<Principal | null> {
    if (!looksLikeKey(secret)) return null;
    const key = await this.keys.byDigest(digestOf(secret));
    if (key === null || !key.isValid(this.clock.now())) return null;
    const { id, mode, teamId, userId, expiresAt } = key;
    const standing = await this.teams.access(teamId, userId);
    return standing && { keyId: id, mode, teamId, userId, expiresAt, ...standing };
  }

  /** Tells the digest of every key whose end this process moves, so that none is remembered as good. */
  onChange(watcher: (digest: string) => void): void {
    this.watchers.push(watcher);
  }

  /**
   * A key of the caller's team: for the caller, or a service key, which takes an admin.
   *
   * @throws InvalidCredential when the team is gone, or the caller no longer in it
   * @throws RoleRequired, LimitReached, InvalidRequest
   */
  create(caller: Principal, { name, mode, service, expiresAt }: CreateKeyInput): Promise<IssuedKey> {
    return this.work.run(async () => {
      const { teamId } = caller;
      await this.keys.acquireLock(teamId);
      const standing = await this.teams.access(teamId, caller.userId);
      if (standing === null) throw new InvalidCredential();
      if (service && !atLeast(standing.role, 'admin')) throw new RoleRequired('admin');
      if (expiresAt !== null && expiresAt <= this.clock.now()) throw alreadyExpired();
      return this.issue({ teamId, userId: service ? null : caller.userId, name, mode, expiresAt });
    });
  }

  /** Makes a key for whom it is asked. @throws LimitReached */
  issue({ teamId, userId, name, mode, expiresAt = null }: KeyRequest): Promise<IssuedKey> {
    return this.work.run(async () => {
      await this.keys.acquireLock(teamId);
      const now = this.clock.now();
      if ((await this.keys.countValid(teamId, now)) >= MOST_KEYS) throw new LimitReached('keys', MOST_KEYS);
      const secret = newSecretKey(mode);
      const key = new ApiKey(teamId, userId, name, mode, digestOf(secret), secret.slice(-4), now, expiresAt);
      await this.keys.add(key);
      await this.events.publish(keyCreated(key));
      await this.record('key.created', key, { user_id: userId, mode });
      return { key, secret };
    });
  }

  /** Everybody in a team sees its keys. */
  list(teamId: TeamId, page: PageRequest): Promise<Page<ApiKey>> {
    return this.keys.findByTeam(teamId, page);
  }

  /** The key that was shown. @throws NotFound when it has gone since. */
  async shownBy(caller: Principal): Promise<ApiKey> {
    return inTeam(await this.keys.get(caller.keyId), caller.teamId);
  }

  /** Ends a key at once; ended again, it stays as it is. @throws NotFound, RoleRequired */
  revoke(caller: Principal, id: KeyId): Promise<ApiKey> {
    return this.work.run(async () => this.end(await this.toChange(caller, id)));
  }

  /** The same, ordered by whoever runs the service. @throws NotFound */
  revokeAny(id: KeyId): Promise<ApiKey> {
    return this.work.run(async () => {
      const key = await this.keys.getForUpdate(id);
      return this.end(inTeam(key, key?.teamId));
    });
  }

  /** Ends the keys that a member had when they left the team. @param leftAt keys made after a return stay. */
  revokeOfMember(teamId: TeamId, userId: UserId, leftAt: Date): Promise<void> {
    return this.work.run(async () => {
      await this.keys.acquireLock(teamId);
      for (const key of await this.keys.findUnrevokedForUpdate(teamId, userId, leftAt)) await this.end(key);
    });
  }

  /**
   * A new key in the place of another: same name, mode, user and expiry. The answer shows its text,
   * so only the key's own user may, and an admin for a service key: who has a user's key acts as
   * that user, also when accepting invites.
   *
   * @param graceSeconds how long the old one goes on beside it; 0: it is revoked now
   * @throws NotFound, RoleRequired, KeyNotActive, LimitReached
   */
  rotate(caller: Principal, id: KeyId, graceSeconds: number): Promise<IssuedKey> {
    return this.work.run(async () => {
      await this.keys.acquireLock(caller.teamId);
      const old = inTeam(await this.keys.getForUpdate(id), caller.teamId);
      if (!old.isOwnedBy(caller)) requireServiceKeyAndAdmin(caller, old);
      const standing = await this.teams.access(old.teamId, old.userId);
      const now = this.clock.now();
      if (standing === null || !old.isValid(now)) throw new KeyNotActive();
      const { teamId, userId, name, mode, expiresAt } = old;
      old.retire(now, graceSeconds);
      await this.changed(old);
      if (old.revokedAt !== null) await this.events.publish(keyRevoked(old));
      const issued = await this.issue({ teamId, userId, name, mode, expiresAt });
      await this.record('key.rotated', old, { replaced_by: issued.key.id, grace_seconds: graceSeconds });
      return issued;
    });
  }

  private async toChange(caller: Principal, id: KeyId): Promise<ApiKey> {
    const key = inTeam(await this.keys.getForUpdate(id), caller.teamId);
    if (!key.isOwnedBy(caller) && !atLeast(caller.role, 'admin')) throw new RoleRequired('admin');
    return key;
  }

  private async end(key: ApiKey): Promise<ApiKey> {
    if (key.revokedAt !== null) return key;
    key.revokedAt = this.clock.now();
    await this.changed(key);
    await this.events.publish(keyRevoked(key));
    await this.record('key.revoked', key, { user_id: key.userId, mode: key.mode });
    return key;
  }

  private async changed(key: ApiKey): Promise<void> {
    await this.keys.save(key);
    const digest = inHex(key.digest);
    this.work.afterCommit(() => this.watchers.forEach((watcher) => watcher(digest)));
  }

  private record(action: string, { id, teamId }: ApiKey, details: Record<string, unknown>): Promise<void> {
    return this.audit.record({ action, teamId, target: { type: 'key', id }, details });
  }
}

function inTeam(key: ApiKey | null, teamId: TeamId | undefined): ApiKey {
  if (key === null || key.teamId !== teamId) throw new NotFound('There is no such key.');
  return key;
}

function requireServiceKeyAndAdmin({ role }: Principal, { userId }: ApiKey): void {
  if (userId !== null)
    throw new RoleRequired(null, 'Only its own user may rotate this key. Admins may revoke it.');
  if (!atLeast(role, 'admin')) throw new RoleRequired('admin');
}

function inHex(digest: Buffer): string {
  return digest.toString('hex');
}

function alreadyExpired(): InvalidRequest {
  const message = 'Send a time in the future.';
  return new InvalidRequest([{ pointer: '/expires_at', code: 'not_in_the_future', message }]);
}
