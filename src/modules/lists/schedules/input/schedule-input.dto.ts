import { LANGUAGES, type Language } from '../../../../kernel/mail.js';
import {
  DecimalNumber,
  DisplayName,
  Flag,
  ObjectOf,
  OneOf,
  Schema,
  SchemaWithAny,
  WholeNumber,
} from '../../../../platform/http/validation/fields.js';
import { INTERVALS, WEEKDAYS, type Interval, type Weekday } from '../domain/next-run.js';
import { DEFAULT_BOUND, LISTMONK_ACTIONS, type ListmonkAction } from '../domain/schedule.js';
import type { NewSchedule, ScheduleChanges } from '../domain/sent-settings.js';
import { ScheduleSourceInput, toSource } from './source-input.dto.js';

export const DEFAULT_MAX_AGE_DAYS = 30;

/** In the description of a day. */
const CREATION = ' Absent: that of the creation of the schedule, in UTC.';

export const Every = (options: { optional?: true } = {}) =>
  OneOf(INTERVALS, {
    ...options,
    description:
      '`week`: on `weekday`; `month`: on `day_of_month`, in a shorter month on the last day. In UTC.',
    example: 'day',
  });

export const OnWeekday = (options: { optional?: true } = {}) =>
  OneOf(WEEKDAYS, {
    ...options,
    description: `Of a schedule that runs every \`week\`.${options.optional ? CREATION : ''}`,
    example: 'saturday',
  });

export const DayOfMonth = (options: { optional?: true } = {}) =>
  WholeNumber({
    ...options,
    min: 1,
    max: 31,
    message: 'Send a day of the month, from 1 to 31.',
    description: `Of a schedule that runs every \`month\`; 31 is the last day of each.${options.optional ? CREATION : ''}`,
    example: 31,
  });

export const Notify = (options: { optional?: true } = {}) =>
  OneOf(LANGUAGES, {
    ...options,
    nullable: true,
    description:
      'The language of a mail to the user who created the schedule, when a run fails, at most one a day; null: none.',
    example: 'en',
  });

const At = (options: { optional?: true; default?: number } = {}) =>
  WholeNumber({ ...options, min: 0, max: 23, message: 'Send an hour in UTC, from 0 to 23.', example: 3 });

const MaxAgeDays = (options: { optional?: true; default?: number } = {}) =>
  WholeNumber({
    ...options,
    min: 1,
    max: 365,
    message: 'Send days, from 1 to 365.',
    description:
      'Rows whose address was verified in these days are not verified again, and cost nothing. What is charged is not older.',
    example: DEFAULT_MAX_AGE_DAYS,
  });

const SHARE = { min: 0, max: 1, message: 'Send a share, from 0 to 1.' };
const COUNT = { min: 0, max: 2_147_483_647, message: 'Send a number of subscribers, 0 or more.' };

@Schema('ScheduleMaxBlocklistedInput')
export class ScheduleMaxBlocklistedInput {
  @DecimalNumber({
    ...SHARE,
    optional: true,
    description: 'Of the rows of the source, 0–1. Absent in a change: it stays.',
    example: DEFAULT_BOUND.share,
  })
  share?: number;

  @WholeNumber({
    ...COUNT,
    optional: true,
    description: 'Subscribers. Absent in a change: it stays.',
    example: DEFAULT_BOUND.count,
  })
  count?: number;
}

@Schema('ScheduleMaxBlocklisted')
export class ScheduleMaxBlocklisted {
  @DecimalNumber({ ...SHARE, description: 'Of the rows of the source, 0–1.', example: DEFAULT_BOUND.share })
  share: number;

  @WholeNumber({ ...COUNT, description: 'Subscribers.', example: DEFAULT_BOUND.count })
  count: number;
}

const Action = () =>
  OneOf(LISTMONK_ACTIONS, {
    description:
      '`blocklist_undeliverable`: subscribers whose address is `undeliverable` are blocklisted, by which listmonk ends all their subscriptions, on all lists; `attributes`: the result becomes the attribute `rcpt` of the subscriber, and all others stay, unless listmonk would send the subscriber a mail for it. Nobody is deleted. Anything but `none` needs a key with the scope `all`.',
    example: 'none',
  });
const BOUND =
  'A run that would blocklist more than both of these waits for a confirmation before it blocklists anybody.';

@Schema('ScheduleOnResultInput')
export class ScheduleOnResultInput {
  @Action()
  listmonk: ListmonkAction;

  @ObjectOf(() => ScheduleMaxBlocklistedInput, {
    optional: true,
    description: `${BOUND} By default a share of ${DEFAULT_BOUND.share} and a count of ${DEFAULT_BOUND.count}.`,
  })
  max_blocklisted?: ScheduleMaxBlocklistedInput;
}

@Schema('ScheduleOnResult')
export class ScheduleOnResult {
  @Action()
  listmonk: ListmonkAction;

  @ObjectOf(() => ScheduleMaxBlocklisted, { description: BOUND })
  max_blocklisted: ScheduleMaxBlocklisted;
}

@Schema('ScheduleCreate')
export class ScheduleCreate {
  @DisplayName({ example: 'Newsletter' })
  name: string;

  @Every()
  every: Interval;

  @At({ default: 3 })
  at = 3;

  @OnWeekday({ optional: true })
  weekday?: Weekday;

  @DayOfMonth({ optional: true })
  day_of_month?: number;

  @ObjectOf(() => ScheduleSourceInput)
  source: ScheduleSourceInput;

  @MaxAgeDays({ default: DEFAULT_MAX_AGE_DAYS })
  max_age_days = DEFAULT_MAX_AGE_DAYS;

  @ObjectOf(() => ScheduleOnResultInput, { optional: true, description: 'Absent: nothing is written.' })
  on_result?: ScheduleOnResultInput;

  @Notify({ optional: true })
  notify?: Language | null;

  @Flag({ default: true, description: 'Whether it runs at its times.' })
  enabled = true;
}

@SchemaWithAny('ScheduleUpdate', [
  'name',
  'every',
  'at',
  'weekday',
  'day_of_month',
  'source',
  'max_age_days',
  'on_result',
  'notify',
  'enabled',
])
export class ScheduleUpdate {
  @DisplayName({ optional: true, example: 'Newsletter' })
  name?: string;

  @Every({ optional: true })
  every?: Interval;

  @At({ optional: true })
  at?: number;

  @OnWeekday({ optional: true })
  weekday?: Weekday;

  @DayOfMonth({ optional: true })
  day_of_month?: number;

  @ObjectOf(() => ScheduleSourceInput, { optional: true })
  source?: ScheduleSourceInput;

  @MaxAgeDays({ optional: true })
  max_age_days?: number;

  @ObjectOf(() => ScheduleOnResultInput, { optional: true })
  on_result?: ScheduleOnResultInput;

  @Notify({ optional: true })
  notify?: Language | null;

  @Flag({ optional: true, description: 'true, where it was false: failures are counted from zero.' })
  enabled?: boolean;
}

/** @throws InvalidRequest */
export function toNewSchedule(body: ScheduleCreate): NewSchedule {
  const { name, every, at, source, max_age_days: maxAgeDays, on_result: onResult, enabled } = body;
  const settings = {
    name,
    every,
    hour: at,
    ...sentOf({ weekday: body.weekday, dayOfMonth: body.day_of_month }),
    maxAgeDays,
    notify: body.notify ?? null,
    onResult: onResult?.listmonk ?? 'none',
    maxBlocklisted: { ...DEFAULT_BOUND, ...sentOf(onResult?.max_blocklisted) },
    enabled,
  } as const;
  return { ...settings, source: toSource(source, false) };
}

/** @throws InvalidRequest */
export function toChanges(body: ScheduleUpdate): ScheduleChanges {
  const { name, every, at: hour, weekday, day_of_month: dayOfMonth } = body;
  const { max_age_days: maxAgeDays, on_result, notify, enabled } = body;
  const onResult = on_result?.listmonk;
  const source = body.source && toSource(body.source, true);
  const maxBlocklisted = on_result?.max_blocklisted && sentOf(on_result.max_blocklisted);
  return {
    ...sentOf({
      name,
      every,
      hour,
      weekday,
      dayOfMonth,
      maxAgeDays,
      onResult,
      maxBlocklisted,
      enabled,
      source,
    }),
    ...(notify !== undefined && { notify }),
  };
}

/** Without the members that were not sent. */
function sentOf<Sent extends object>(
  sent: Sent = {} as Sent,
): { [Name in keyof Sent]?: NonNullable<Sent[Name]> } {
  const entries = Object.entries(sent).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Sent]?: NonNullable<Sent[Name]> };
}
