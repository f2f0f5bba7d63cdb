import { ESTIMATE_BASES, type Estimate } from '../../kernel/outcomes.js';
import { Count, DecimalNumber, OneOf, Schema } from '../../platform/http/validation/fields.js';

const Share = (description: string, example: number) =>
  DecimalNumber({ min: 0, max: 1, message: 'Send a number from 0 to 1.', description, example });

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
