import { type Estimate, ESTIMATE_BASES, type KnownOutcome, OUTCOME_KINDS } from '../../kernel/outcomes.js';
import { PageQuery, pageOf } from '../../platform/http/paging/cursor.js';
import {
  Count,
  DecimalNumber,
  OneOf,
  Schema,
  Text,
  Time,
  WholeNumber,
} from '../../platform/http/validation/fields.js';

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

export const Share = (description: string, example: number, options: { nullable?: true } = {}) =>
  DecimalNumber({ min: 0, max: 1, message: 'Send a number from 0 to 1.', description, example, ...options });

@Schema('VerdictEstimate')
export class EstimateResponse {
  @Share('The share of mail to such an address that arrives.', 0.93)
  deliverable: number;

  @Share('The lower bound of the 90 % interval.', 0.88)
  low: number;

  @Share('The upper bound of the 90 % interval.', 0.97)
  high: number;

  @OneOf(ESTIMATE_BASES, {
    description: 'The closest level that has outcomes: the same address, or its domain, operator or reason.',
    example: 'domain',
  })
  basis: Estimate['basis'];

  @Count('The outcomes of this level.', { example: 214 })
  outcomes: number;
}

export function toResponse({ kind, at, code, enhancedCode, text }: KnownOutcome): OutcomeResponse {
  return { kind, at: at.toISOString(), code, enhanced_code: enhancedCode, text };
}
