import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { STATUS_OF_REASON } from '../../api/constants';
import type { Texts } from '../../texts/en';
import { policyEn } from '../../texts/policy.en';
import { shortReasonsEn } from '../../texts/lists/short-reasons.en';

export type PolicyRule = Schemas['PolicyRule'];
export type Conditions = Schemas['PolicyConditions'];
export type Member = keyof Conditions;
/** Whether several properties are meant together, or one is enough. */
export type Match = 'any' | 'all';

/** The texts of this page. */
export const policyTexts = { ...policyEn, ...shortReasonsEn };

export const DECISIONS = ['accept', 'review', 'reject'] as const;

export const policyQuery = queryOptions({
  queryKey: ['policy'],
  queryFn: async () => {
    const { data, response } = await api.GET('/v1/policy');
    // A proxy that compresses the response marks its tag as weak, and If-Match takes strong ones (RFC 9110 §13.1.1).
    const etag = (response.headers.get('ETag') ?? '').replace(/^W\//, '');
    return { policy: data as Schemas['Policy'], etag };
  },
});

/** In the order in which the form offers them. */
export const MEMBERS = [
  'checks',
  'domain_suffix',
  'domain',
  'email',
  'tld',
  'provider',
  'mx_host_suffix',
  'reason',
  'status',
  'estimate_below',
] as const satisfies readonly Member[];

/** The members with values that are known. */
export const CHOICES: Partial<Record<Member, readonly string[]>> = {
  checks: ['disposable', 'privacy_relay', 'role', 'free', 'catch_all', 'subaddress', 'no_reply', 'smtputf8'],
  reason: Object.keys(STATUS_OF_REASON).filter((reason) => reason !== 'blocked_domain'),
  status: ['deliverable', 'undeliverable', 'risky', 'unknown'],
};

export const valuesOf = (values: Conditions[Member]): string[] =>
  values === undefined ? [] : [values].flat().map(String);

/** A value as people read it. */
export function labelOf(t: Texts, member: Member, value: string): string {
  if (member === 'checks') return t.policy.checks[value as keyof typeof t.policy.checks];
  if (member === 'reason') return t.shortReason[value] ?? value;
  if (member === 'status') return t.status[value as keyof typeof t.status];
  return value;
}

const MAX_VALUES = 4;

/** The rule as a sentence. */
export function sentenceOf(t: Texts, language: string, { decision, when, unless }: PolicyRule): string {
  const list = (type: 'conjunction' | 'disjunction', parts: string[]) =>
    new Intl.ListFormat(language, { type }).format(parts);
  const clausesOf = (conditions: Conditions | null) => {
    const clauses = MEMBERS.flatMap((member): string[] => {
      const values = valuesOf(conditions?.[member]);
      if (values.length === 0) return [];
      if (member === 'checks') return values.map((check) => t.policy.clauses[check as 'disposable']);
      if (member === 'estimate_below') return [t.policy.clauses.estimate_below(percent(Number(values[0])))];
      const labelled = values.map((value) => labelOf(t, member, value));
      const labels = member === 'reason' ? labelled.map(t.policy.quoted) : labelled;
      const more = labels.length - MAX_VALUES;
      const shown = more > 1 ? [...labels.slice(0, MAX_VALUES), t.policy.more(more)] : labels;
      return [t.policy.clauses[member](list('disjunction', shown))];
    });
    return list('conjunction', clauses);
  };
  const percent = (share: number) =>
    new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(share);
  return t.policy.sentence(decision, clausesOf(when), clausesOf(unless));
}

/** With the rule at another place. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const others = items.filter((_, n) => n !== from);
  return [...others.slice(0, to), items[from]!, ...others.slice(to)];
}
