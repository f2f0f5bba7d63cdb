import { STATUSES, type Status } from '../../kernel/verdict.js';
import {
  Count,
  CountsBy,
  Flag,
  Id,
  Link,
  ObjectOf,
  OneOf,
  Schema,
  Text,
} from '../../platform/http/validation/fields.js';

/** As those of `events.dto.ts`. */

@Schema('ScheduleLinks')
class ScheduleLinks {
  @Link({ example: 'https://verify.example.org/v1/schedules/sch_01kaj3wzj4e0t9x7n2v8q5r6sm' })
  schedule: string;

  @Link({ example: 'https://verify.example.org/v1/schedules/sch_01kaj3wzj4e0t9x7n2v8q5r6sm/runs' })
  runs: string;
}

@Schema('ScheduleRunEndedEvent')
export class ScheduleRunEnded {
  @Id('sch')
  schedule_id: string;

  @Id('run')
  run_id: string;

  @Id('job', { nullable: true, description: 'null: no row had to be verified.' })
  job_id: string | null;

  @OneOf(['completed', 'failed'])
  status: 'completed' | 'failed';

  @Text({ nullable: true, description: 'Why it failed; otherwise null.', example: null })
  failure: string | null;

  @Flag({ description: 'false: also after three failed runs in a row.', example: true })
  enabled: boolean;

  @Count('Rows of the source.', { example: 1000 })
  rows: number;

  @Count('Rows that were not verified again.', { example: 980 })
  unchanged: number;

  @Count('Distinct addresses that were verified.', { example: 20 })
  verified: number;

  @Count('Of these, addresses without an earlier result.', { example: 12 })
  new: number;

  @CountsBy(STATUSES, { description: 'Of these, by their new status.', example: { undeliverable: 3 } })
  changed: Partial<Record<Status, number>>;

  @Count('Subscribers that were not changed in listmonk although their result asks for it.', { example: 0 })
  not_written: number;

  @ObjectOf(() => ScheduleLinks)
  links: ScheduleLinks;
}
