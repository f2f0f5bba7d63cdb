import { REASONS, STATUSES, type Verdict } from '../../kernel/verdict.js';
import { ObjectOf, OneOf, Schema, Text } from '../../platform/http/validation/fields.js';

@Schema('ReducedPolicy')
class ReducedPolicy {
  @OneOf(['accept', 'review', 'reject'])
  decision: Verdict['policy']['decision'];
}

/** A verdict without its evidence, because everyone who opens a page can read it. */
@Schema('ReducedVerdict')
export class ReducedVerdictResponse {
  @Text({ description: 'As it was sent.', example: 'jane@example.com' })
  email: string;

  @OneOf(STATUSES)
  status: Verdict['status'];

  @OneOf(REASONS)
  reason: Verdict['reason'];

  @Text({ nullable: true, example: null })
  did_you_mean: string | null;

  @ObjectOf(() => ReducedPolicy)
  policy: ReducedPolicy;
}

export function toReducedResponse({
  email,
  status,
  reason,
  didYouMean,
  policy,
}: Verdict): ReducedVerdictResponse {
  return { email, status, reason, did_you_mean: didYouMean, policy: { decision: policy.decision } };
}
