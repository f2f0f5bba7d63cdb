import { InvalidRequest } from '../../../kernel/errors.js';
import type { KeyKind, PublishableRules } from '../../../kernel/principal.js';
import { Schema, WholeNumber } from '../../../platform/http/validation/fields.js';

export const MAX_ORIGINS = 20;

const MAX_PER_MINUTE = 1_000;
export const MAX_PER_DAY = 1_000_000;

@Schema('PerAddressLimits')
export class PerAddressLimits {
  @WholeNumber({
    default: 10,
    min: 1,
    max: MAX_PER_MINUTE,
    message: `Send a whole number from 1 to ${MAX_PER_MINUTE}.`,
    description: 'Requests in a minute.',
  })
  per_minute = 10;

  @WholeNumber({
    default: 100,
    min: 1,
    max: MAX_PER_DAY,
    message: `Send a whole number from 1 to ${MAX_PER_DAY}.`,
    description: 'Requests in a UTC day.',
  })
  per_day = 100;
}

/** Enough for most sign-up forms, and a bound for what a copied key can cost. */
const PER_DAY = 1_000;

/** The members of a request for a key that depend on its kind. */
interface KindMembers {
  kind: KeyKind;
  allowed_origins?: string[];
  per_address?: PerAddressLimits;
  per_day?: number;
}

const ONLY_PUBLISHABLE = ['allowed_origins', 'per_address', 'per_day'] as const;

/** The rules of the requested key; null: a secret key. @throws InvalidRequest when members contradict its kind. */
export function publishableRulesOf(body: KindMembers): PublishableRules | null {
  const { kind, allowed_origins, per_address = new PerAddressLimits(), per_day = PER_DAY } = body;
  if (kind === 'secret') {
    const message = 'Only a key of the kind publishable has this member. Omit it.';
    const wrong = ONLY_PUBLISHABLE.filter((name) => body[name] !== undefined);
    if (wrong.length === 0) return null;
    throw new InvalidRequest(wrong.map((name) => ({ pointer: `/${name}`, code: 'invalid_value', message })));
  }
  if (allowed_origins === undefined) {
    const message = `Send 1 to ${MAX_ORIGINS} origins, such as https://www.example.com: a publishable key works on their pages only.`;
    throw new InvalidRequest([{ pointer: '/allowed_origins', code: 'invalid_type', message }]);
  }
  return {
    // Two spellings may be one origin.
    allowedOrigins: [...new Set(allowed_origins)],
    perAddress: { perMinute: per_address.per_minute, perDay: per_address.per_day },
    perDay: per_day,
  };
}
