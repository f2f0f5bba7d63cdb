import { parseEmailAddress } from '../../../engine/address/email-address.js';
import { InvalidRequest } from '../../../kernel/errors.js';
import { newId } from '../../../kernel/ids.js';
import { parseDomainName } from '../../../kernel/text/domain-name.js';
import { DECISIONS, REASONS, STATUSES, type PolicyDecision } from '../../../kernel/verdict.js';
import {
  DecimalNumber,
  Id,
  ListOf,
  Matching,
  ObjectOf,
  OneOf,
  OneOrMore,
  Remark,
  Schema,
  Text,
  Time,
} from '../../../platform/http/validation/fields.js';
import type { Policy } from './domain/policy.js';
import { MAX_RULES, RULE_CHECKS, type Conditions, type Rule } from './domain/rule.js';

export { MAX_RULES } from './domain/rule.js';

/** Of one member of a rule. */
const MAX_VALUES = 500;
const MAX_NAME_LENGTH = 1_000;

const readEmail = (text: string) => {
  const parsed = parseEmailAddress(text);
  return parsed.ok ? parsed.address.key : null;
};
const readDomain = (text: string) => {
  const parsed = parseDomainName(text);
  return parsed.ok ? parsed.domain : null;
};
/** Also as it is often written, with a dot in front. */
const readSuffix = (text: string) => readDomain(text.replace(/^\./, ''));
const readTld = (text: string) => {
  const label = readSuffix(text);
  return label?.includes('.') === false ? label : null;
};
const MAX_PROVIDER = 100;
const readProvider = (text: string) =>
  /^[\x20-\x7E]+$/.test(text) && text.length <= MAX_PROVIDER ? text : null;

/** Values of an enumeration. */
function Known(title: string, values: readonly string[], description: string): PropertyDecorator {
  return OneOrMore({
    title,
    optional: true,
    description,
    maxItems: values.length,
    item: { enum: values },
    read: (text) => (values.includes(text) ? text : null),
    message: `Send one of ${values.join(', ')}, or some.`,
  });
}

interface NamesOptions {
  title: string;
  description: string;
  example: string;
  maxLength?: number;
  read: (text: string) => string | null;
}

/** Names of mailboxes, domains, hosts or providers. */
function Names({ example, maxLength = MAX_NAME_LENGTH, ...options }: NamesOptions): PropertyDecorator {
  return OneOrMore({
    ...options,
    optional: true,
    maxItems: MAX_VALUES,
    item: { maxLength, example },
    message: `Send a text such as ${example}, or an array of such texts.`,
  });
}

@Schema('PolicyConditions')
export class PolicyConditions implements Conditions {
  @Names({
    title: 'RuleEmail',
    description: 'Addresses, in upper or lower case.',
    example: 'jane@example.com',
    read: readEmail,
  })
  email?: string | string[];

  @Names({
    title: 'RuleDomain',
    description: 'Domains without their subdomains, in Unicode or as A-labels.',
    example: 'example.com',
    read: readDomain,
  })
  domain?: string | string[];

  @Names({
    title: 'RuleDomainSuffix',
    description: 'Domains with their subdomains.',
    example: 'example.com',
    read: readSuffix,
  })
  domain_suffix?: string | string[];

  @Names({ title: 'RuleTld', description: 'Last labels of domains.', example: 'de', read: readTld })
  tld?: string | string[];

  @Names({
    title: 'RuleMxHostSuffix',
    description: 'Names of mail servers, or domains that contain them. One server is sufficient.',
    example: 'mail.example.com',
    read: readSuffix,
  })
  mx_host_suffix?: string | string[];

  @Names({
    title: 'RuleProvider',
    description: 'Mail providers, as `dns.provider` names them.',
    example: 'google',
    maxLength: MAX_PROVIDER,
    read: readProvider,
  })
  provider?: string | string[];

  @Known('RuleReason', REASONS, 'Reasons of verdicts.')
  reason?: Conditions['reason'];

  @Known('RuleStatus', STATUSES, 'Statuses of verdicts.')
  status?: Conditions['status'];

  @Known('RuleChecks', Object.keys(RULE_CHECKS), 'Checks; all of them must be true.')
  checks?: Conditions['checks'];

  @DecimalNumber({
    optional: true,
    min: 0,
    max: 1,
    message: 'Send a number from 0 to 1.',
    description: '`estimate.deliverable` is known and lower.',
    example: 0.5,
  })
  estimate_below?: number;
}

const WHEN =
  'What must be true of a verdict: all members, and of the values of a member one. `{}`: every verdict.';
const UNLESS = 'Exceptions, in the same form: the rule does not match if all members do. null or `{}`: none.';
const EXPIRES = 'From then on, the rule matches nothing; null: it does not expire.';
const MAX_ID = 64;

@Schema('PolicyRuleInput')
export class PolicyRuleInput {
  @Matching(new RegExp(`^[A-Za-z0-9_-]{1,${MAX_ID}}$`), {
    optional: true,
    message: `Send 1 to ${MAX_ID} letters, digits, hyphens and underscores, or omit the id.`,
    description: 'Your own, unique in the policy; if absent, one is made.',
  })
  id?: string;

  @ObjectOf(() => PolicyConditions, { description: WHEN, example: { domain_suffix: 'partner.example' } })
  when: PolicyConditions;

  @ObjectOf(() => PolicyConditions, { default: null, nullable: true, description: UNLESS, example: null })
  unless: PolicyConditions | null = null;

  @OneOf(DECISIONS)
  decision: PolicyDecision;

  @Remark(200, { default: null, description: 'For readers of the rules.', example: 'Our partner' })
  note: string | null = null;

  @Time({ default: null, nullable: true, description: EXPIRES, example: null })
  expires_at: string | null = null;
}

/** A rule as it is stored. */
@Schema('PolicyRule')
export class PolicyRuleResponse implements Rule {
  @Text({ description: '`policy.rule` of a verdict is `team:` and this id.', example: 'partner' })
  id: string;

  @ObjectOf(() => PolicyConditions, { description: WHEN, example: { domain_suffix: 'partner.example' } })
  when: PolicyConditions;

  @ObjectOf(() => PolicyConditions, { nullable: true, description: UNLESS, example: null })
  unless: PolicyConditions | null;

  @OneOf(DECISIONS)
  decision: PolicyDecision;

  @Text({ nullable: true, example: 'Our partner' })
  note: string | null;

  @Time({ nullable: true, description: EXPIRES, example: null })
  expires_at: string | null;
}

const FIRST = 'The first that matches decides.';

@Schema('PolicyUpdate')
export class PolicyBody {
  @ListOf(() => PolicyRuleInput, { maxItems: MAX_RULES, description: FIRST })
  rules: PolicyRuleInput[];

  @Time({ optional: true, nullable: true, description: 'As it was read; ignored.', example: null })
  updated_at?: string | null;

  @Text({ optional: true, nullable: true, max: 100, description: 'As it was read; ignored.', example: null })
  updated_by?: string | null;
}

@Schema('Policy')
export class PolicyResponse {
  @ListOf(() => PolicyRuleResponse, { description: FIRST })
  rules: PolicyRuleResponse[];

  @Time({ nullable: true, description: 'null: the team has never had rules.' })
  updated_at: string | null;

  @Id('usr', {
    nullable: true,
    description: 'The user who has changed it; null: nobody, or one who was deleted.',
  })
  updated_by: string | null;
}

export function toResponse({ rules, updatedAt, updatedBy }: Policy): PolicyResponse {
  return {
    rules: [...rules] as PolicyRuleResponse[],
    updated_at: updatedAt?.toISOString() ?? null,
    updated_by: updatedBy,
  };
}

/** @throws InvalidRequest when two rules have the same id. */
export function toRules(inputs: readonly PolicyRuleInput[]): Rule[] {
  const rules = inputs.map(({ id = newId('rule'), when, unless, decision, note, expires_at }) => ({
    id,
    when,
    unless: unless === null || Object.values(unless).every((value) => value === undefined) ? null : unless,
    decision,
    note,
    expires_at,
  }));
  const first = new Map<string, number>();
  const repeated = rules.flatMap(({ id }, n) => {
    const isNew = !first.has(id);
    if (isNew) first.set(id, n);
    const message = `Rule ${first.get(id)} has this id. Send another, or omit it.`;
    return isNew ? [] : [{ pointer: `/rules/${n}/id`, code: 'invalid_value', message }];
  });
  if (repeated.length > 0) throw new InvalidRequest(repeated.slice(0, 20));
  return rules;
}

export const entityTag = ({ version }: Pick<Policy, 'version'>) => `"${version}"`;

/** Whether a version is one that `If-Match` names (RFC 9110 §13.1.1); a weak entity tag matches none. */
export function expectedBy(ifMatch: string | undefined): (version: number) => boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return () => true;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return (version) => tags.includes(entityTag({ version }));
}
