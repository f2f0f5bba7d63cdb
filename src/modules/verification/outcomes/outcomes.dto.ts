import { PickType } from '@nestjs/swagger';
import { type Estimate, ESTIMATE_BASES, type KnownOutcome, OUTCOME_KINDS } from '../../../kernel/outcomes.js';
import { REASONS, STATUS_OF, STATUSES, type Reason, type Status } from '../../../kernel/verdict.js';
import { PageQuery, pageOf } from '../../../platform/http/paging/cursor.js';
import {
  Count,
  DecimalNumber,
  ListOf,
  NumberParameter,
  ObjectOf,
  OneOf,
  Schema,
  Text,
  Time,
  WholeNumber,
} from '../../../platform/http/validation/fields.js';
import {
  ACCURACY_BASES,
  basisOf,
  bounceRate,
  calibrationOf,
  type Accuracy,
  type AccuracyCounts,
} from './domain/accuracy.js';

export class OutcomesQuery extends PageQuery {
  @Text({
    min: 1,
    max: 1_000,
    message: 'Send one address, such as ?email=jane@example.com.',
    repeated: 'Send only one address.',
    description: 'The address.',
    example: 'jane@example.com',
  })
  email: string;
}

export class ForgottenAddress extends PickType(OutcomesQuery, ['email']) {}

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

const Share = (description: string, example: number, options: { nullable?: true } = {}) =>
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
    description: 'The closest level that has outcomes: the same address, or its domain, host or reason.',
    example: 'domain',
  })
  basis: Estimate['basis'];

  @Count('The outcomes of this level.', { example: 214 })
  outcomes: number;
}

export function toResponse({ kind, at, code, enhancedCode, text }: KnownOutcome): OutcomeResponse {
  return { kind, at: at.toISOString(), code, enhanced_code: enhancedCode, text };
}

export class AccuracyQuery {
  @NumberParameter({ min: 1, max: 365, of: 'of days', default: 90, description: 'Days up to now, 1–365.' })
  days = 90;
}

@Schema('BounceRate')
class BounceRate {
  @Share('`bounced` ÷ (`delivered` + `bounced`).', 0.02)
  value: number;

  @Share('The lower bound of the 90 % interval.', 0.01)
  low: number;

  @Share('The upper bound of the 90 % interval.', 0.04)
  high: number;
}

@Schema('AccuracyRow')
class AccuracyRow {
  @OneOf(STATUSES)
  status: Status;

  @OneOf(REASONS)
  reason: Reason;

  @Text({ nullable: true, description: 'null: not known.', example: 'google' })
  provider: string | null;

  @Count('Addresses with this verdict. Verdicts are remembered for 90 days.', { example: 1200 })
  verified: number;

  @Count('Addresses to which mail was delivered.', { example: 310 })
  delivered: number;

  @Count('Addresses whose mail bounced because the mailbox does not exist or is disabled.', { example: 6 })
  bounced: number;

  @Count('Addresses from which somebody complained.')
  complained: number;

  @OneOf(ACCURACY_BASES, {
    nullable: true,
    description:
      '`deliveries`: bounces and deliveries are known; `bounces_only`: fewer deliveries than bounces were reported, by sources that report no deliveries, and a share cannot be computed; null: no mail was delivered or bounced.',
    example: 'deliveries',
  })
  basis: (typeof ACCURACY_BASES)[number] | null;

  @ObjectOf(() => BounceRate, { nullable: true, description: 'null: `basis` is not `deliveries`.' })
  bounce_rate: BounceRate | null;
}

@Schema('Calibration')
class Calibration {
  @Count('Addresses whose verdict had an `estimate`, and whose mail was delivered or bounced since.')
  outcomes: number;

  @Share('The mean squared error of the estimates (Brier score); null: no outcomes.', 0.04, {
    nullable: true,
  })
  brier: number | null;

  @Share(
    'The mean difference between estimates and the share delivered, in ten bins; null: no outcomes.',
    0.01,
    { nullable: true },
  )
  error: number | null;
}

@Schema('Accuracy')
export class AccuracyResponse {
  @ListOf(() => AccuracyRow)
  data: AccuracyRow[];

  @ObjectOf(() => Calibration, { description: 'Compares the `estimate` given before with the outcome.' })
  calibration: Calibration;
}

export function toAccuracyResponse(accuracy: Accuracy): AccuracyResponse {
  return { data: accuracy.counts.map(toAccuracyRow), calibration: calibrationOf(accuracy) };
}

function toAccuracyRow(counts: AccuracyCounts): AccuracyRow {
  const { reason, provider, verified, delivered, bounced, complained } = counts;
  const numbers = { verified, delivered, bounced, complained };
  return {
    status: STATUS_OF[reason],
    reason,
    provider,
    ...numbers,
    basis: basisOf(counts),
    bounce_rate: bounceRate(counts),
  };
}
