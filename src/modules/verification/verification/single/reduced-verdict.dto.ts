import { PickType } from '@nestjs/swagger';
import { ObjectOf, Schema, Text } from '../../../../platform/http/validation/fields.js';
import type { ProvenVerdict } from './visitor-verification.service.js';
import { VerdictPolicy, VerdictResponse } from './verification.dto.js';

@Schema('ReducedPolicy')
class ReducedPolicy extends PickType(VerdictPolicy, ['decision']) {}

/** A verdict without its evidence, because everyone who opens a page can read it. */
@Schema('ReducedVerdict')
export class ReducedVerdictResponse extends PickType(VerdictResponse, [
  'email',
  'status',
  'reason',
  'did_you_mean',
]) {
  @ObjectOf(() => ReducedPolicy)
  policy: ReducedPolicy;

  @Text({
    nullable: true,
    description:
      'A JSON Web Token that shows this verdict to your server for 30 minutes (`POST /v1/proofs/confirm`); null: the text is far too long to be an address.',
    example: 'eyJhbGciOiJFZERTQSIsImtpZCI6Ii4uLiJ9.eyJlbWFpbCI6Ii4uLiJ9.c2lnbmF0dXJl',
  })
  proof: string | null;
}

export function toReducedResponse({ verdict, proof }: ProvenVerdict): ReducedVerdictResponse {
  const { email, status, reason, didYouMean, policy } = verdict;
  return { email, status, reason, did_you_mean: didYouMean, policy: { decision: policy.decision }, proof };
}
