import { InvalidRequest } from '../../../kernel/errors.js';
import { KEY_SCOPES, type KeyKind, type Scope } from '../../../kernel/principal.js';
import type { KeyLimits } from './domain/api-key.js';

export const MAX_NETWORKS = 20;

/** The members of a request for a key that only a secret key has. */
interface LimitMembers {
  kind: KeyKind;
  scopes?: Scope[] | undefined;
  allowed_cidrs?: string[] | undefined;
}

const ONLY_SECRET = ['scopes', 'allowed_cidrs'] as const;

/** The limits of the requested key. @throws InvalidRequest for a publishable key with such members */
export function keyLimitsOf(body: LimitMembers): KeyLimits {
  const { kind, scopes = ['all'], allowed_cidrs } = body;
  const wrong = kind === 'publishable' ? ONLY_SECRET.filter((name) => body[name] !== undefined) : [];
  if (wrong.length > 0) {
    const message = 'Only a key of the kind secret has this member. Omit it.';
    throw new InvalidRequest(wrong.map((name) => ({ pointer: `/${name}`, code: 'invalid_value', message })));
  }
  return {
    scopes: scopes.includes('all') ? null : KEY_SCOPES.filter((scope) => scopes.includes(scope)),
    // Two spellings may be one network.
    allowedCidrs: allowed_cidrs === undefined ? null : [...new Set(allowed_cidrs)],
  };
}
