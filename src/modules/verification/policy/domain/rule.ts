import type { Checks, PolicyDecision, Reason, Status } from '../../../../kernel/verdict.js';

/** Rules are data: their members have the names of the API, and are stored with them. */

/** The checks that a rule can require, and the member of a verdict that each reads. */
export const RULE_CHECKS = {
  disposable: 'disposable',
  privacy_relay: 'privacyRelay',
  role: 'role',
  free: 'free',
  catch_all: 'catchAll',
  subaddress: 'subaddress',
  no_reply: 'noReply',
  smtputf8: 'smtputf8',
} as const satisfies Record<string, keyof Checks>;
export type RuleCheck = keyof typeof RULE_CHECKS;

type OneOrMore<Value> = Value | readonly Value[];

/** All members must match; of the values of a member, one. */
export interface Conditions {
  /** The identity of an address (`EmailAddress.key`). */
  email?: OneOrMore<string> | undefined;
  /** A-labels in lower case, here and in the next three. */
  domain?: OneOrMore<string> | undefined;
  /** The domain, or the end of one at the border of a label. */
  domain_suffix?: OneOrMore<string> | undefined;
  tld?: OneOrMore<string> | undefined;
  /** Of one of the mail servers, as `domain_suffix`. */
  mx_host_suffix?: OneOrMore<string> | undefined;
  provider?: OneOrMore<string> | undefined;
  reason?: OneOrMore<Reason> | undefined;
  status?: OneOrMore<Status> | undefined;
  /** All of them must be true. */
  checks?: OneOrMore<RuleCheck> | undefined;
  /** The share of mail that arrives is known and lower. */
  estimate_below?: number | undefined;
}

export interface Rule {
  /** Unique in the policy. */
  id: string;
  when: Conditions;
  /** Exceptions; null: none. */
  unless: Conditions | null;
  decision: PolicyDecision;
  note: string | null;
  /** RFC 3339; from then on the rule matches nothing. null: it does not expire. */
  expires_at: string | null;
}

export const MAX_RULES = 200;

export function valuesOf<Value>(values: OneOrMore<Value> | undefined): readonly Value[] {
  if (values === undefined) return [];
  return Array.isArray(values) ? (values as readonly Value[]) : [values as Value];
}
