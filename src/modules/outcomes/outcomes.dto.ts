import { OUTCOME_KINDS, type KnownOutcome } from '../../kernel/outcomes.js';
import { PageQuery, pageOf } from '../../platform/http/paging/cursor.js';
import { OneOf, Schema, Text, Time, WholeNumber } from '../../platform/http/validation/fields.js';

const SEND_ADDRESS = 'Send one address, such as ?email=jane@example.com.';

const Address = () =>
  Text({
    min: 1,
    max: 1_000,
    message: SEND_ADDRESS,
    repeated: 'Send only one address.',
    description: 'The address.',
    example: 'jane@example.com',
  });

export class OutcomesQuery extends PageQuery {
  @Address()
  email: string;
}

export class ForgottenAddress {
  @Address()
  email: string;
}

@Schema('VerdictOutcome')
export class OutcomeResponse {
  @OneOf(OUTCOME_KINDS, { example: 'bounced' })
  kind: KnownOutcome['kind'];

  @Time()
  at: string;

  @WholeNumber({ nullable: true, description: 'Of the reply; null: it had none.', example: 550 })
  code: number | null;

  @Text({ nullable: true, example: '5.1.1' })
  enhanced_code: string | null;

  @Text({
    nullable: true,
    description: 'At most 200 characters of the reply, without addresses.',
    example: 'User unknown',
  })
  text: string | null;
}

@Schema('OutcomePage')
export class OutcomePage extends pageOf(OutcomeResponse) {}

export function toResponse({ kind, at, code, enhancedCode, text }: KnownOutcome): OutcomeResponse {
  return { kind, at: at.toISOString(), code, enhanced_code: enhancedCode, text };
}
