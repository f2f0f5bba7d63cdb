import { newId } from '../../../kernel/ids.js';
import type { TeamId } from '../../../kernel/principal.js';
import { nextRun, type Interval } from './next-run.js';
import type { FailureCode } from './failure.js';

export type ScheduleId = string;

export const SOURCE_KINDS = ['url', 'listmonk'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** What happens in listmonk with the results. */
export const LISTMONK_ACTIONS = ['blocklist_undeliverable', 'attributes', 'none'] as const;
export type ListmonkAction = (typeof LISTMONK_ACTIONS)[number];

/** A file in CSV or NDJSON. */
interface UrlSource {
  kind: 'url';
  url: string;
  /** The names of the headers of the request. */
  headers: readonly string[];
}

interface ListmonkSource {
  kind: 'listmonk';
  url: string;
  username: string;
  /** Ids of lists. */
  lists: readonly number[];
}

/** Where the rows come from, without secrets. */
export type Source = UrlSource | ListmonkSource;

/** The values of headers by their names; of listmonk: `token`. */
export type SourceSecret = Readonly<Record<string, string>>;

/** Consecutive failed runs after which a schedule is disabled. */
export const MAX_FAILURES = 3;

/** Of the URL of a source. */
export const SOURCE_WORDS = {
  example: 'https://example.com/subscribers.csv',
  credentials: 'Send headers for a file; username and token for listmonk.',
};

export interface ScheduleSettings {
  enabled: boolean;
  name: string;
  every: Interval;
  /** The hour in UTC. */
  atHour: number;
  source: Source;
  maxAgeDays: number;
  onResult: ListmonkAction;
}

interface EndedRun {
  id: string;
  jobId: string | null;
  failure: FailureCode | null;
}

/** A list that is read, and verified, at regular times. */
export class Schedule {
  readonly id: ScheduleId = newId('sch');
  name!: string;
  every!: Interval;
  atHour!: number;
  source!: Source;
  /** Addresses that were verified in these days are not verified again. */
  maxAgeDays!: number;
  onResult!: ListmonkAction;
  enabled = true;
  /** Why the service has disabled it; null: it has not. */
  disabledReason: FailureCode | null = null;
  /** Consecutive failed runs. */
  failures = 0;
  /** The run that has failed before the results of its list were recorded; null: there is none. */
  leftRunId: string | null = null;
  nextRunAt!: Date;

  constructor(
    readonly teamId: TeamId,
    readonly createdAt: Date,
  ) {}

  static of(teamId: TeamId, settings: ScheduleSettings, now: Date): Schedule {
    const schedule = new Schedule(teamId, now);
    schedule.change(settings, now);
    return schedule;
  }

  /** Changes settings; omitted ones stay. */
  change({ enabled, ...settings }: Partial<ScheduleSettings>, now: Date): void {
    Object.assign(this, settings);
    if (enabled === true && !this.enabled) {
      this.failures = 0;
      this.disabledReason = null;
    }
    this.enabled = enabled ?? this.enabled;
    this.planNext(now);
  }

  /** Times that have passed are not made up for. */
  planNext(now: Date): void {
    this.nextRunAt = nextRun(this, now);
  }

  /** A run has ended. @returns whether it has disabled the schedule. */
  runEnded({ id, jobId, failure }: EndedRun): boolean {
    this.failures = failure === null ? 0 : this.failures + 1;
    if (failure !== null && jobId !== null) this.leftRunId = id;
    if (failure === null || !this.enabled || this.failures < MAX_FAILURES) return false;
    this.enabled = false;
    this.disabledReason = failure;
    return true;
  }
}
