import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { OUTCOME_KINDS } from '../../../kernel/outcomes.js';
import {
  Count,
  ListOf,
  OneOf,
  Schema,
  Text,
  Time,
  WholeNumber,
} from '../../../platform/http/validation/fields.js';
import type { Receipt } from '../../verification/outcomes/outcomes.service.js';

@Schema('Outcome')
export class Outcome {
  @Text({ description: 'The address.', example: 'jane@example.com' })
  email: string;

  @OneOf(OUTCOME_KINDS, { example: 'bounced' })
  outcome: string;

  @Time({ optional: true, nullable: true, description: 'At most 400 days ago; now if absent.' })
  at?: string | null;

  @Text({
    optional: true,
    nullable: true,
    max: 1_000,
    description: 'Of a bounce: the reply of the server, with its codes.',
    example: '550 5.1.1 User unknown',
  })
  reply?: string | null;

  @WholeNumber({
    optional: true,
    nullable: true,
    min: 200,
    max: 599,
    description: 'The reply code, if `reply` has none.',
    example: 550,
  })
  code?: number | null;

  @Text({
    optional: true,
    nullable: true,
    pattern: '^[245]\\.\\d{1,3}\\.\\d{1,3}$',
    description: 'The enhanced status code, if `reply` has none.',
    example: '5.1.1',
  })
  enhanced_code?: string | null;

  @Text({
    optional: true,
    nullable: true,
    max: 200,
    description: 'The same message, address and outcome again is a duplicate.',
    example: '<42@sender.example>',
  })
  message_id?: string | null;
}

@ApiExtraModels(Outcome)
@Schema('OutcomeList')
export class OutcomeList {
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: 1_000,
    items: { $ref: getSchemaPath(Outcome) },
  })
  outcomes: Outcome[];
}

@Schema('IgnoredOutcome')
class IgnoredOutcome {
  @Count('The position of the entry, from 0.')
  index: number;

  @Text({ example: 'invalid_email' })
  code: string;

  @Text({ example: 'email is no address.' })
  message: string;
}

@Schema('OutcomeReceipt')
export class OutcomeReceipt implements Receipt {
  @Count('Entries of the request; recipients of a report.')
  received: number;

  @Count('New outcomes.')
  stored: number;

  @Count('Outcomes that were stored before.')
  duplicates: number;

  @ListOf(() => IgnoredOutcome, { description: 'Entries that are not used, and why.' })
  ignored: IgnoredOutcome[];
}
