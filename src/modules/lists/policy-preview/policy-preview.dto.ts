import { DECISIONS, REASONS, type PolicyDecision, type Reason } from '../../../kernel/verdict.js';
import {
  Count,
  CountsBy,
  Flag,
  Id,
  ListOf,
  OneOf,
  Schema,
  Text,
  WholeNumber,
} from '../../../platform/http/validation/fields.js';
import { MAX_RULES, PolicyRuleInput } from '../../verification/policy/policy.dto.js';
import { MAX_EXAMPLES, type Preview } from './domain/preview.js';

const SEND_DAYS = 'Send a whole number of days from 1 to 30.';

@Schema('PolicyPreviewRequest')
export class PolicyPreviewBody {
  @ListOf(() => PolicyRuleInput, {
    maxItems: MAX_RULES,
    description: 'The rules to try. They are not stored.',
  })
  rules: PolicyRuleInput[];

  @WholeNumber({
    min: 1,
    max: 30,
    default: 7,
    message: SEND_DAYS,
    description:
      'Verdicts of lists that are under way, or ended in this number of days, and of rechecks in this time.',
  })
  days = 7;
}

@Schema('PolicyPreviewExample')
class PolicyPreviewExample {
  @OneOf(REASONS)
  reason: Reason;

  @Text({ nullable: true, description: 'null: the text is no address.', example: 'example.com' })
  domain: string | null;

  @OneOf(DECISIONS, { description: 'With the policy of now.' })
  before: PolicyDecision;

  @OneOf(DECISIONS, { description: 'With these rules.' })
  after: PolicyDecision;

  @Text({
    nullable: true,
    description: '`policy.rule` with these rules; null: none determined the decision.',
    example: 'team:partner',
  })
  rule: string | null;

  @Id('job', {
    nullable: true,
    description:
      'The newest list with such a verdict: its results with `reason` and the domain as `q` are these rows. null: single checks.',
  })
  job_id: string | null;

  @Count('Verdicts that change in this way.', { example: 8 })
  count: number;
}

@Schema('PolicyChange')
class PolicyChange {
  @OneOf(DECISIONS, { description: 'With the policy of now.' })
  before: PolicyDecision;

  @OneOf(DECISIONS, { description: 'With these rules.' })
  after: PolicyDecision;

  @Count('Verdicts.', { example: 8 })
  count: number;
}

const COUNTS = { complete: true, example: { accept: 100, review: 10, reject: 5 } } as const;

@Schema('PolicyPreview')
export class PolicyPreviewResponse {
  @Count('Verdicts that were read: one for each address of a list, and those of rechecks of single calls.', {
    example: 115,
  })
  verdicts: number;

  @Count('Verdicts about which these rules decide otherwise than the policy of now.', { example: 8 })
  changed: number;

  @CountsBy(DECISIONS, { ...COUNTS, description: 'Verdicts with each decision, with these rules.' })
  by_decision: Record<PolicyDecision, number>;

  @CountsBy(DECISIONS, { ...COUNTS, description: 'The same with the policy of now.' })
  by_decision_before: Record<PolicyDecision, number>;

  @ListOf(() => PolicyChange, { description: 'What `changed` consists of, the most frequent first.' })
  changes: PolicyChange[];

  @Flag({ description: 'false: there are more verdicts; those of the newest lists were read.' })
  complete: boolean;

  @ListOf(() => PolicyPreviewExample, { description: `Different changes, at most ${MAX_EXAMPLES}.` })
  examples: PolicyPreviewExample[];
}

export function toResponse(preview: Preview): PolicyPreviewResponse {
  const { verdicts, changed, before, after, changes, isComplete, examples } = preview;
  return {
    verdicts,
    changed,
    by_decision: after,
    by_decision_before: before,
    changes,
    complete: isComplete,
    examples: examples.map(({ jobId, ...example }) => ({ ...example, job_id: jobId })),
  };
}
