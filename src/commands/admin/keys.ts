import { itemsOf } from '../../kernel/page.js';
import type { Mode, PublishableRules, Scope } from '../../kernel/principal.js';
import { ApiKeysService } from '../../modules/identity/api-keys/api-keys.service.js';
import { toNewResponse, toResponse, type KeyResponse } from '../../modules/identity/api-keys/api-keys.dto.js';
import { keyLimitsOf, MAX_NETWORKS } from '../../modules/identity/api-keys/key-limits.dto.js';
import { MAX_ORIGINS, publishableRulesOf } from '../../modules/identity/api-keys/publishable-key.dto.js';
import { TeamsService } from '../../modules/identity/teams/team/teams.service.js';
import { ApiKeysModule } from '../../modules/identity/api-keys/api-keys.module.js';
import { TeamsModule } from '../../modules/identity/teams/teams.module.js';
import { withDatabase } from '../database-context.js';
import { print, UsageError, type Format } from '../terminal.js';

interface ForPages {
  publishable?: true;
  origin?: string[];
}

interface Limits {
  publishable?: true;
  scope?: Scope[];
  network?: string[];
}

export async function createKey(
  options: Format & ForPages & Limits & { team: string; user?: string; name: string; mode: Mode },
): Promise<void> {
  const { team: teamId, user: userId = null, name, mode } = options;
  const publishable = rulesOf(options);
  const limits = limitsOf(options);
  await withDatabase([ApiKeysModule, TeamsModule], async (services) => {
    if ((await services(TeamsService).access(teamId, userId)) === null) {
      throw new UsageError(
        userId === null ? 'there is no such team' : 'there is no such member in that team',
      );
    }
    const issued = await services(ApiKeysService).issue({
      teamId,
      userId,
      name,
      mode,
      publishable,
      ...limits,
    });
    print(options, toNewResponse(issued), () =>
      [
        `key    ${issued.secret}`,
        `id     ${issued.key.id}, ${userId === null ? 'a service key' : `of ${userId}`}`,
        ...(publishable?.allowedOrigins ?? []).map((origin) => `origin ${origin}`),
        ...(limits.scopes ?? []).map((scope) => `scope  ${scope}`),
        ...(limits.allowedCidrs ?? []).map((cidr) => `from   ${cidr}`),
        'The key is shown now and never again.',
      ].join('\n'),
    );
  });
}

export async function listKeys(options: Format & { team: string }): Promise<void> {
  await withDatabase([ApiKeysModule, TeamsModule], async (services) => {
    if ((await services(TeamsService).access(options.team, null)) === null) {
      throw new UsageError('there is no such team');
    }
    const keys: KeyResponse[] = [];
    for await (const key of itemsOf((page) => services(ApiKeysService).list(options.team, page)))
      keys.push(toResponse(key));
    print(options, keys, () => keys.map(toLine).join('\n') || 'no keys');
  });
}

export async function rotateKey(keyId: string, options: Format & { grace: number }): Promise<void> {
  await withDatabase([ApiKeysModule, TeamsModule], async (services) => {
    const issued = await services(ApiKeysService).rotateAny(keyId, options.grace);
    print(options, toNewResponse(issued), () =>
      [
        `key    ${issued.secret}`,
        `id     ${issued.key.id}, in place of ${keyId}`,
        options.grace === 0
          ? 'Running services refuse the old key within 5 seconds.'
          : `The old key stays valid for ${options.grace} seconds.`,
        'The key is shown now and never again.',
      ].join('\n'),
    );
  });
}

export async function revokeKey(keyId: string, options: Format): Promise<void> {
  await withDatabase([ApiKeysModule, TeamsModule], async (services) => {
    const key = toResponse(await services(ApiKeysService).revokeAny(keyId));
    print(options, key, () => `${key.id} is revoked; running services refuse it within 5 seconds.`);
  });
}

/** @returns null for a secret key. */
function rulesOf({ publishable, origin = [] }: ForPages): PublishableRules | null {
  if (publishable !== true) {
    if (origin.length > 0) throw new UsageError('only a key with --publishable has origins');
    return null;
  }
  if (origin.length < 1 || origin.length > MAX_ORIGINS)
    throw new UsageError(`--publishable needs 1 to ${MAX_ORIGINS} origins: --origin https://www.example.com`);
  return publishableRulesOf({ kind: 'publishable', allowed_origins: origin });
}

function limitsOf({ publishable, scope, network }: Limits) {
  if (publishable === true && (scope !== undefined || network !== undefined))
    throw new UsageError('a key with --publishable has no scopes and no networks');
  if (network !== undefined && network.length > MAX_NETWORKS)
    throw new UsageError(`a key has at most ${MAX_NETWORKS} networks`);
  return keyLimitsOf({
    kind: publishable === true ? 'publishable' : 'secret',
    scopes: scope,
    allowed_cidrs: network,
  });
}

/** Only what differs from a key without limits. */
function limitsIn({ scopes, allowed_cidrs: cidrs }: KeyResponse): string[] {
  const isLimited = scopes !== null && !scopes.includes('all');
  return [
    ...(isLimited ? [`scopes ${scopes.join(',')}`] : []),
    ...(cidrs ? [`from ${cidrs.join(',')}`] : []),
  ];
}

function toLine(key: KeyResponse): string {
  const { id, prefix, last4, user_id, name, revoked_at, expires_at } = key;
  const end = revoked_at ? `revoked ${revoked_at}` : expires_at ? `expires ${expires_at}` : 'good';
  return [id, `${prefix}…${last4}`, user_id ?? 'service', end, ...limitsIn(key), name].join('  ');
}
