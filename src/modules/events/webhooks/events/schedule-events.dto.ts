import { PickType } from '@nestjs/swagger';
import {
  Flag,
  Id,
  Link,
  ObjectOf,
  OneOf,
  Schema,
  Text,
  Time,
} from '../../../../platform/http/validation/fields.js';
import {
  ScheduleConfirmationResponse,
  ScheduleRunResponse,
} from '../../../lists/schedules/schedule-runs.dto.js';

/** As those of `events.dto.ts`. What a run has in the API is described there. */

@Schema('ScheduleLinks')
class ScheduleLinks {
  @Link({ example: 'https://verify.example.org/v1/schedules/sch_01kaj3wzj4e0t9x7n2v8q5r6sm' })
  schedule: string;

  @Link({ example: 'https://verify.example.org/v1/schedules/sch_01kaj3wzj4e0t9x7n2v8q5r6sm/runs' })
  runs: string;
}

/** What events of runs have in common. */
abstract class ScheduleRunSummary extends PickType(ScheduleRunResponse, [
  'schedule_id',
  'job_id',
  'rows',
  'unchanged',
  'verified',
  'new',
  'changed',
  'written',
  'not_written',
  'postponed',
]) {
  @Id('run')
  run_id: string;

  @Text({ nullable: true, description: 'Why it failed; otherwise null.', example: null })
  failure: string | null;

  @Flag({ description: 'false: also after three failed runs in a row.', example: true })
  enabled: boolean;

  @ObjectOf(() => ScheduleLinks)
  links: ScheduleLinks;
}

const ENDS = ['completed', 'discarded', 'failed'] as const;

@Schema('ScheduleRunEndedEvent')
export class ScheduleRunEnded extends ScheduleRunSummary {
  @OneOf(ENDS, { description: '`discarded`: nobody confirmed what it would have written.' })
  status: (typeof ENDS)[number];
}

@Schema('ScheduleConfirmationEvent')
class ScheduleConfirmation extends PickType(ScheduleConfirmationResponse, [
  'subscribers',
  'share',
  'reasons',
]) {
  @Time({ description: 'Then it is discarded.' })
  confirm_by: string;
}

@Schema('ScheduleNeedsConfirmationEvent')
export class ScheduleNeedsConfirmation extends ScheduleRunSummary {
  @OneOf(['needs_confirmation'])
  status: 'needs_confirmation';

  @ObjectOf(() => ScheduleConfirmation)
  confirmation: ScheduleConfirmation;
}
