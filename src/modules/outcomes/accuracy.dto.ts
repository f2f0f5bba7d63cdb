import { REASONS, STATUS_OF, STATUSES, type Reason, type Status } from '../../kernel/verdict.js';
import {
  Count,
  ListOf,
  NumberParameter,
  ObjectOf,
  OneOf,
  Schema,
  Text,
} from '../../platform/http/validation/fields.js';
import { Share } from './outcomes.dto.js';
import { bounceRate, calibrationOf, type Accuracy } from './domain/accuracy.js';

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

  @ObjectOf(() => BounceRate, { nullable: true, description: 'null: no outcomes.' })
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

export function toAccuracyResponse({ counts, bins }: Accuracy): AccuracyResponse {
  const data = counts.map((row) => ({
    status: STATUS_OF[row.reason],
    ...row,
    bounce_rate: bounceRate(row),
  }));
  return { data, calibration: calibrationOf(bins) };
}
