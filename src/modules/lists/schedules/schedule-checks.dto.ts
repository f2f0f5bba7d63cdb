import {
  Count,
  Flag,
  ListOf,
  ObjectOf,
  OneOf,
  Schema,
  Text,
  Texts,
  WholeNumber,
} from '../../../platform/http/validation/fields.js';
import { ScheduleFailureResponse, toFailure } from './schedule-runs.dto.js';
import { ScheduleSourceInput } from './input/source-input.dto.js';
import { MAX_COLUMNS, MAX_COLUMN_LENGTH, type SourceCheck } from './domain/source-sample.js';

const OBJECTS = ['schedule_check'] as const;

@Schema('ScheduleCheckChanges')
export class ScheduleCheckChanges {
  @ObjectOf(() => ScheduleSourceInput, {
    optional: true,
    description: 'As in a change of the schedule, also without its secrets. Absent: that of the schedule.',
  })
  source?: ScheduleSourceInput;
}

@Schema('ScheduleCheckList')
class ScheduleCheckList {
  @WholeNumber({ example: 1 })
  id: number;

  @Text({ example: 'Newsletter' })
  name: string;

  @WholeNumber({
    nullable: true,
    description: 'As listmonk has counted them; null: it does not say.',
    example: 1_200,
  })
  subscribers: number | null;
}

@Schema('ScheduleCheckListmonk')
class ScheduleCheckListmonk {
  @ListOf(() => ScheduleCheckList, { description: 'Those of the source.' })
  lists: ScheduleCheckList[];
}

@Schema('ScheduleCheck')
export class ScheduleCheckResponse {
  @OneOf(OBJECTS, { example: 'schedule_check' })
  object: (typeof OBJECTS)[number];

  @Flag({ description: 'Whether a run could read the source.', example: true })
  ok: boolean;

  @Texts({
    nullable: true,
    minItems: 0,
    maxItems: MAX_COLUMNS,
    maxLength: MAX_COLUMN_LENGTH,
    message: '',
    description: `The columns of a CSV, the first ${MAX_COLUMNS}; null: none were read, or it is another source.`,
    example: ['Name', 'E-Mail'],
  })
  columns: readonly string[] | null;

  @Text({
    nullable: true,
    description:
      'The column of a CSV whose cells would be verified; null: none was found, or it is another source.',
    example: 'E-Mail',
  })
  email_column: string | null;

  @Count('Rows that were read.', { example: 250 })
  rows_seen: number;

  @Count('Of these, rows with a valid address.', { example: 248 })
  addresses_seen: number;

  @Flag({ description: 'Whether these are all rows of the source.', example: false })
  sample_is_whole: boolean;

  @WholeNumber({
    nullable: true,
    description:
      'Subscriptions to the lists by listmonk, which may have counted them earlier; null: another source, or listmonk does not say.',
    example: 1_200,
  })
  total: number | null;

  @ObjectOf(() => ScheduleCheckListmonk, {
    nullable: true,
    description: 'null: another source, or it was not read.',
  })
  listmonk: ScheduleCheckListmonk | null;

  @ObjectOf(() => ScheduleFailureResponse, {
    nullable: true,
    description: 'Why a run would fail now; otherwise null.',
  })
  failure: ScheduleFailureResponse | null;
}

export function toCheckResponse(check: SourceCheck): ScheduleCheckResponse {
  const { columns, emailColumn, rows, addresses, isWhole, facts, failure } = check;
  return {
    object: 'schedule_check',
    ok: failure === null,
    columns,
    email_column: emailColumn,
    rows_seen: rows,
    addresses_seen: addresses,
    sample_is_whole: isWhole,
    total: facts.total,
    listmonk: facts.lists && { lists: facts.lists.map((list) => ({ ...list })) },
    failure: failure && toFailure(failure),
  };
}
