import { pageOf } from '../../../platform/http/paging/cursor.js';
import { Count, Id, OneOf, Schema, SomeOf, Text, Time } from '../../../platform/http/validation/fields.js';
import { OUTCOME_KINDS, type OutcomeKind } from '../../../kernel/outcomes.js';
import { SECRETS_ARE, SOURCE_KINDS, type SourceKind } from './domain/providers/providers.js';
import type { ReportingSource } from './outcome-sources.service.js';

@Schema('OutcomeSourceCreate')
export class OutcomeSourceCreate {
  @OneOf(SOURCE_KINDS, { example: 'sendgrid' })
  kind: SourceKind;

  @Text({
    default: null,
    nullable: true,
    max: 1_000,
    description: `What the provider signs with: ${SECRETS_ARE}.`,
    example: null,
  })
  secret: string | null = null;
}

@Schema('OutcomeSource')
export class OutcomeSourceResponse {
  @Id('src')
  id: string;

  @OneOf(SOURCE_KINDS, { example: 'sendgrid' })
  kind: SourceKind;

  @Time()
  created_at: string;

  @SomeOf(OUTCOME_KINDS, {
    none: null,
    description:
      'The outcomes that it has sent in 30 days. Without `delivered`, shares and estimates cannot be computed from its bounces.',
    example: ['bounced', 'delivered'],
  })
  reports: readonly OutcomeKind[];
}

@Schema('IssuedOutcomeSource')
export class IssuedOutcomeSource extends OutcomeSourceResponse {
  @Text({
    nullable: true,
    description: 'The URL for the provider. It contains a token, and is in this response only.',
    example: 'https://rcpt.example/inbound/outcomes/rcpt_src_…',
  })
  url: string;
}

@Schema('OutcomeSourcePage')
export class OutcomeSourcePage extends pageOf(OutcomeSourceResponse) {}

@Schema('EventReceipt')
export class EventReceipt {
  @Count('Events of the request.')
  received: number;

  @Count('New outcomes.')
  stored: number;

  @Count('Outcomes that were stored before.')
  duplicates: number;

  @Count('Events that are no outcome, or cannot be used.')
  ignored: number;
}

export function toResponse({ source, reports }: ReportingSource): OutcomeSourceResponse {
  const { id, kind, createdAt } = source;
  return { id, kind, created_at: createdAt.toISOString(), reports };
}
