import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../kernel/audit-log.js';
import { Clock } from '../../../kernel/clock.js';
import { Events } from '../../../kernel/events.js';
import { InvalidCredential, InvalidRequest, LimitReached, RoleRequired } from '../../../kernel/errors.js';
import {
  atLeast,
  type KeyId,
  type OAuthClient,
  type Principal,
  type Role,
  type TeamId,
  type UserId,
} from '../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { TeamsService } from '../teams/team/teams.service.js';
import { KeyNotActive } from './api-keys.errors.js';
import { ApiKey, type KeyLimits } from './domain/api-key.js';
import { ApiKeyRepository } from './domain/api-key.repository.js';
import { inTeam, requireServiceKeyAndAdmin } from './domain/key-access.js';
import { digestOf, looksLikeKey, newSecretKey, prefixOf } from './domain/secret-key.js';

export type KeyInput = Pick<ApiKey, 'name' | 'mode' | 'expiresAt' | 'publishable'> & KeyLimits;
type KeyToIssue = Pick<ApiKey, 'teamId' | 'userId' | 'name' | 'mode'> &
  Partial<KeyInput & Pick<ApiKey, 'client'>>;

/** A new key. The text of a secret key is shown only here. */
export interface IssuedKey {
  key: ApiKey;
  secret: string;
}

/** Valid keys of a team, besides those of sign-ins. */
const MAX_KEYS = 100;
/** How far members can fill them, so that joining users, admins and the owner find a place. */
const MAX_KEYS_BY_MEMBERS = 80;
/** Personal keys of one member or admin. */
const MAX_KEYS_OF_USER = 20;
/** Keys of sign-ins of a user: the oldest makes place for the next. */
const MAX_SIGN_INS = 10;
const KEYS_OF_USER = `You may have at most ${MAX_KEYS_OF_USER} keys of this team. Revoke one first.`;
const OF_CLIENT =
  'The program that this key stands for replaces its access tokens itself. Revoke the key to end them.';
const KEYS_BY_MEMBERS = `The team has ${MAX_KEYS_BY_MEMBERS} keys; only admins and the owner may create more.`;

@Injectable()
export class ApiKeysService {
  readonly isAnyUsed = () => this.keys.isAnyUsed();
  private readonly listeners: ((id: KeyId) => void)[] = [];

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly teams: TeamsService,
    private readonly events: Events,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The digest of this key; null when the text is not a valid key. */
  digest(secret: string): string | null {
    return looksLikeKey(secret) ? digestOf(secret).toString('hex') : null;
  }

  /** The principal of this key; null for every invalid key, whatever the reason. */
  async authenticate(secret: string): Promise<Principal | null> {
    if (!looksLikeKey(secret)) return null;
    const key = await this.keys.findByDigest(digestOf(secret));
    return key && this.principalOf(key);
  }

  /** The principal of this key; null if it is no longer valid. */
  async principalOf(key: ApiKey): Promise<Principal | null> {
    if (!key.isValid(this.clock.now())) return null;
    const { id, mode, teamId, userId, expiresAt, publishable, allowedCidrs } = key;
    const access = await this.teams.access(teamId, userId);
    const own = { keyId: id, mode, teamId, userId, expiresAt, publishable, allowedCidrs };
    const principal = access && { ...own, scopes: key.grantedScopes, ...access };
    // The guards refuse it everywhere else; it must not have the role of its user anywhere.
    return publishable !== null && principal ? { ...principal, role: 'member' } : principal;
  }

  /**
   * Registers a callback for every key whose expiry this process changes, so that caches can be
   * invalidated.
   */
  onChange(listener: (id: KeyId) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Creates a key of the caller's team: for the caller, or a service key, which requires an admin.
   *
   * @throws InvalidCredential when the team was deleted, or the caller is no longer a member
   * @throws RoleRequired, LimitReached, InvalidRequest
   */
  create(caller: Principal, { service, ...input }: KeyInput & { service: boolean }): Promise<IssuedKey> {
    return this.work.run(async () => {
      const { teamId } = caller;
      await this.teams.lock(teamId);
      const access = await this.teams.access(teamId, caller.userId);
      if (access === null) throw new InvalidCredential();
      if (service && !atLeast(access.role, 'admin')) throw new RoleRequired('admin');
      if (input.expiresAt !== null && input.expiresAt <= this.clock.now()) throw alreadyExpired();
      const userId = service ? null : caller.userId;
      await this.requireBelowShare(teamId, userId, access.role);
      return this.issue({ ...input, teamId, userId });
    });
  }

  /** @throws LimitReached */
  issue(request: KeyToIssue): Promise<IssuedKey> {
    return this.work.run(async () => {
      await this.teams.lock(request.teamId);
      const valid = await this.keys.countValid(request.teamId, null, this.clock.now());
      if (valid >= MAX_KEYS) throw new LimitReached('keys', MAX_KEYS);
      return this.add(request, false);
    });
  }

  /**
   * Issues the key of a sign-in. It does not count toward the limit of the team: no member can lock another one out.
   * The oldest of too many is revoked.
   */
  issueForSignIn(request: KeyToIssue & { userId: UserId }): Promise<IssuedKey> {
    return this.work.run(async () => {
      const { teamId, userId } = request;
      await this.teams.lock(teamId);
      const open = await this.keys.listSignInsForUpdate(teamId, userId, this.clock.now());
      for (const key of open.slice(0, Math.max(0, open.length - MAX_SIGN_INS + 1))) await this.end(key);
      return this.add(request, true);
    });
  }

  /** Adds the key of a grant. Nobody has a text of it. The team is locked. */
  async addForClient(request: KeyToIssue & { client: OAuthClient }): Promise<ApiKey> {
    return (await this.add(request, false)).key;
  }

  /** Every member of a team sees its keys. */
  list(teamId: TeamId, page: PageRequest): Promise<Page<ApiKey>> {
    return this.keys.list(teamId, page);
  }

  async find(teamId: TeamId, id: KeyId): Promise<ApiKey | null> {
    const key = await this.keys.find(id);
    return key?.teamId === teamId ? key : null;
  }

  /** @throws NotFound */
  async get(teamId: TeamId, id: KeyId): Promise<ApiKey> {
    return inTeam(await this.keys.find(id), teamId);
  }

  /** @throws NotFound, RoleRequired */
  rename(caller: Principal, id: KeyId, name: string): Promise<ApiKey> {
    return this.work.run(async () => {
      const key = await this.lockForChange(caller, id);
      if (key.name === name) return key;
      key.name = name;
      await this.keys.save(key);
      // The name is free text, so only the fact that it changed is logged.
      await this.record('key.renamed', key, {});
      return key;
    });
  }

  /** Revokes a key at once; a revoked key stays unchanged. @throws NotFound, RoleRequired */
  revoke(caller: Principal, id: KeyId): Promise<ApiKey> {
    return this.work.run(async () => this.end(await this.lockForChange(caller, id)));
  }

  /** Revokes a key as the operator. @throws NotFound */
  revokeAny(id: KeyId): Promise<ApiKey> {
    return this.work.run(async () => {
      const key = await this.keys.findForUpdate(id);
      return this.end(inTeam(key, key?.teamId));
    });
  }

  /** Revokes the keys of a member who left the team. @param leftAt keys created after a return are kept. */
  revokeOfMember(teamId: TeamId, userId: UserId, leftAt: Date): Promise<void> {
    return this.work.run(async () => {
      await this.teams.lock(teamId);
      for (const key of await this.keys.listUnrevokedForUpdate(teamId, userId, leftAt)) await this.end(key);
    });
  }

  /**
   * Replaces a key: same name, mode, user, expiry and limits. The response contains its text, so only the key's
   * user may do it, and an admin for a service key: the holder of a user's key acts as that user, also
   * when accepting invites.
   *
   * @param graceSeconds how long the old key stays valid; 0: it is revoked now
   * @throws NotFound, RoleRequired, KeyNotActive, LimitReached
   */
  rotate(caller: Principal, id: KeyId, graceSeconds: number): Promise<IssuedKey> {
    return this.work.run(async () => {
      await this.teams.lock(caller.teamId);
      const old = inTeam(await this.keys.findForUpdate(id), caller.teamId);
      if (!old.isOwnedBy(caller)) requireServiceKeyAndAdmin(caller, old);
      return this.replace(old, graceSeconds);
    });
  }

  /** Replaces a key as the operator. @throws NotFound, KeyNotActive, LimitReached */
  rotateAny(id: KeyId, graceSeconds: number): Promise<IssuedKey> {
    return this.work.run(async () => {
      const found = await this.keys.find(id);
      if (found !== null) await this.teams.lock(found.teamId);
      const old = await this.keys.findForUpdate(id);
      return this.replace(inTeam(old, old?.teamId), graceSeconds);
    });
  }

  /** The team is locked, and the key. */
  private async replace(old: ApiKey, graceSeconds: number): Promise<IssuedKey> {
    const access = await this.teams.access(old.teamId, old.userId);
    const now = this.clock.now();
    if (access === null || !old.isValid(now)) throw new KeyNotActive();
    if (old.client !== null) throw new KeyNotActive(OF_CLIENT);
    const { teamId, userId, name, mode, expiresAt, publishable, scopes, allowedCidrs } = old;
    // Without a grace period there is no key more than before.
    if (graceSeconds > 0) await this.requireBelowShare(teamId, userId, access.role);
    old.retire(now, graceSeconds);
    await this.changed(old);
    if (old.revokedAt !== null) await this.publish('key.revoked', old);
    const successor = { teamId, userId, name, mode, expiresAt, publishable, scopes, allowedCidrs };
    const issued =
      old.isSignIn && userId !== null
        ? await this.issueForSignIn({ ...successor, userId })
        : await this.issue(successor);
    await this.record('key.rotated', old, { replaced_by: issued.key.id, grace_seconds: graceSeconds });
    return issued;
  }

  private async add(request: KeyToIssue, isSignIn: boolean): Promise<IssuedKey> {
    const { teamId, userId, name, mode, expiresAt = null, publishable = null } = request;
    const secret = newSecretKey(prefixOf({ mode, publishable }));
    const [digest, last4] = [digestOf(secret), secret.slice(-4)];
    const now = this.clock.now();
    const key = new ApiKey(teamId, userId, name, mode, digest, last4, now, expiresAt, publishable, isSignIn);
    if (publishable !== null) key.publishableKey = secret;
    key.scopes = request.scopes ?? null;
    key.allowedCidrs = request.allowedCidrs ?? null;
    key.client = request.client ?? null;
    await this.keys.add(key);
    await this.publish('key.created', key);
    await this.record('key.created', key, { user_id: userId, mode, ...key.auditedLimits() });
    return { key, secret };
  }

  /** Members cannot use up the keys that the owner and admins need. The team is locked. @throws LimitReached */
  private async requireBelowShare(teamId: TeamId, userId: UserId | null, role: Role): Promise<void> {
    if (role === 'owner') return;
    const now = this.clock.now();
    if (userId !== null && (await this.keys.countValid(teamId, userId, now)) >= MAX_KEYS_OF_USER)
      throw new LimitReached('keys_of_user', MAX_KEYS_OF_USER, KEYS_OF_USER);
    if (role === 'member' && (await this.keys.countValid(teamId, null, now)) >= MAX_KEYS_BY_MEMBERS)
      throw new LimitReached('keys_by_members', MAX_KEYS_BY_MEMBERS, KEYS_BY_MEMBERS);
  }

  private async lockForChange(caller: Principal, id: KeyId): Promise<ApiKey> {
    const key = inTeam(await this.keys.findForUpdate(id), caller.teamId);
    // A service key may revoke itself: whoever found it can make it harmless.
    const isOwn = key.id === caller.keyId || key.isOwnedBy(caller);
    if (!isOwn && !atLeast(caller.role, 'admin')) throw new RoleRequired('admin');
    return key;
  }

  private async end(key: ApiKey): Promise<ApiKey> {
    if (key.revokedAt !== null) return key;
    key.revokedAt = this.clock.now();
    await this.changed(key);
    await this.publish('key.revoked', key);
    await this.record('key.revoked', key, { user_id: key.userId, mode: key.mode });
    return key;
  }

  private async changed(key: ApiKey): Promise<void> {
    await this.keys.save(key);
    this.work.afterCommit(() => this.listeners.forEach((listener) => listener(key.id)));
  }

  private publish(type: 'key.created' | 'key.revoked', { id, teamId, userId, mode }: ApiKey): Promise<void> {
    return this.events.publish({ type, teamId, data: { key_id: id, user_id: userId, mode } });
  }

  private record(action: string, { id, teamId }: ApiKey, details: Record<string, unknown>): Promise<void> {
    return this.audit.record({ action, teamId, target: { type: 'key', id }, details });
  }
}

function alreadyExpired(): InvalidRequest {
  const message = 'Send a time in the future.';
  return new InvalidRequest([{ pointer: '/expires_at', code: 'not_in_the_future', message }]);
}
