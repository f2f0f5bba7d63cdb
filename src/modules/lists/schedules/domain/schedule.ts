import { newId } from '../../../../kernel/ids.js';
import type { Principal, TeamId, UserId } from '../../../../kernel/principal.js';
import type { Language } from '../../../../kernel/mail.js';
import { nextRun, weekdayOf, type Interval, type Weekday } from './next-run.js';
import type { FailureCode } from './failure.js';
import { parsedUrl } from '../../../../kernel/text/parsed-url.js';

export type ScheduleId = string;

export const SOURCE_KINDS = ['url', 'listmonk'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** What happens in listmonk with the results. */
export const LISTMONK_ACTIONS = ['blocklist_undeliverable', 'attributes', 'none'] as const;
export type ListmonkAction = (typeof LISTMONK_ACTIONS)[number];

/** A file in CSV or NDJSON. */
export interface UrlSource {
  kind: 'url';
  url: string;
  /** The names of the headers of the request. */
  headers: readonly string[];
  /** The column of a CSV with the addresses, by its name or its number from 1; null: it is found. */
  emailColumn: string | null;
}

export interface ListmonkSource {
  kind: 'listmonk';
  url: string;
  username: string;
  /** Ids of lists. */
  lists: readonly number[];
}

/** Where the rows come from, without secrets. */
export type Source = UrlSource | ListmonkSource;

/** What the requests to a source carry. It belongs to the place for which it was entered. */
export interface SourceSecret {
  /** `placeOf` the source. */
  place: string;
  /** The values of headers by their names; of listmonk: `token`. */
  values: Readonly<Record<string, string>>;
}

/** Of what kind a source is, and on which host: a secret is sent nowhere else. */
export function placeOf({ kind, url }: Source): string {
  return `${kind} ${parsedUrl(url)?.origin ?? url}`;
}

/** How many subscribers a run may blocklist without a confirmation: it may not exceed both. */
export interface BlocklistBound {
  /** Of the rows of the source, 0–1. */
  share: number;
  count: number;
}

export const DEFAULT_BOUND: BlocklistBound = { share: 0.1, count: 50 };

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
  hour: number;
  weekday: Weekday;
  dayOfMonth: number;
  source: Source;
  maxAgeDays: number;
  onResult: ListmonkAction;
  maxBlocklisted: BlocklistBound;
  /** The language of a mail to the creator about a run that fails; null: none. */
  notify: Language | null;
}

/** Those of a new schedule. A day that is not chosen is that of its creation. */
export type NewSettings = Omit<ScheduleSettings, 'weekday' | 'dayOfMonth'> &
  Partial<Pick<ScheduleSettings, 'weekday' | 'dayOfMonth'>>;

interface EndedRun {
  id: string;
  failure: FailureCode | null;
  failureDetail: string | null;
  /** Whether results of its list are not recorded. */
  hasLeft: boolean;
}

const INTERVAL_MEMBERS = ['every', 'hour', 'weekday', 'dayOfMonth', 'enabled'] as const;

/** A list that is read, and verified, at regular times. */
export class Schedule {
  readonly id: ScheduleId = newId('sch');
  name!: string;
  every!: Interval;
  hour!: number;
  /** Of a schedule that runs every week. */
  weekday!: Weekday;
  /** Of one that runs every month, which in a shorter one is its last day. */
  dayOfMonth!: number;
  source!: Source;
  /** Addresses that were verified in these days are not verified again. */
  maxAgeDays!: number;
  onResult!: ListmonkAction;
  maxBlocklisted!: BlocklistBound;
  enabled = true;
  /** Why the service has disabled it; null: it has not. */
  disabledReason: FailureCode | null = null;
  /** Of this reason. */
  disabledDetail: string | null = null;
  notify: Language | null = null;
  /** Consecutive failed runs. */
  failures = 0;
  /** The run that has failed before the results of its list were recorded; null: there is none. */
  unrecordedRunId: string | null = null;
  nextRunAt!: Date;
  /** `placeOf` the source for which the stored secret was entered; null: there is none. */
  secretPlace: string | null = null;

  /** @param createdBy null: a service key, or the user was deleted. */
  constructor(
    readonly teamId: TeamId,
    readonly createdBy: UserId | null,
    readonly createdAt: Date,
  ) {}

  static of(
    { teamId, userId }: Pick<Principal, 'teamId' | 'userId'>,
    { source, ...settings }: NewSettings,
    secret: SourceSecret | null,
    now: Date,
  ): Schedule {
    const schedule = new Schedule(teamId, userId, now);
    schedule.change({ weekday: weekdayOf(now), dayOfMonth: now.getUTCDate(), ...settings }, now);
    schedule.changeSource(source, secret);
    return schedule;
  }

  /** Changes settings; omitted ones stay. It is planned anew only if its times have changed. */
  change({ enabled, ...settings }: Partial<Omit<ScheduleSettings, 'source'>>, now: Date): void {
    const { ...before } = this;
    Object.assign(this, settings);
    this.enabled = enabled ?? this.enabled;
    if (this.enabled && !before.enabled) {
      this.failures = 0;
      this.disabledReason = null;
      this.disabledDetail = null;
    }
    const isPlanned = INTERVAL_MEMBERS.every((name) => this[name] === before[name]);
    if (!isPlanned) this.planNext(now);
  }

  /** A secret that was entered for another kind or host is dropped. @param secret null: the stored one stays, if it fits. */
  changeSource(source: Source, secret: SourceSecret | null): void {
    const place = placeOf(source);
    const stays = secret === null && this.secretPlace === place;
    const { source: before } = this;
    if (source.kind !== 'url') this.source = source;
    else {
      const names = stays && before.kind === 'url' ? before.headers : Object.keys(secret?.values ?? {});
      this.source = { ...source, headers: names };
    }
    const hasSecret = stays || (secret !== null && Object.keys(secret.values).length > 0);
    this.secretPlace = hasSecret ? place : null;
  }

  /** Whether the stored secret may be sent to the source. */
  ownsSecret({ place }: SourceSecret): boolean {
    return this.secretPlace === place && placeOf(this.source) === place;
  }

  /** Whether a run may blocklist so many without a confirmation. */
  allowsToBlocklist(count: number, rows: number): boolean {
    return count <= this.maxBlocklisted.count || count <= this.maxBlocklisted.share * rows;
  }

  /** Times that have passed are not made up for. */
  planNext(now: Date): void {
    this.nextRunAt = nextRun(this, now);
  }

  /** A run has ended. @returns whether it has disabled the schedule. */
  runEnded({ id, hasLeft, failure, failureDetail }: EndedRun): boolean {
    // That somebody has disabled it is no failure.
    if (failure === 'disabled') return false;
    this.failures = failure === null ? 0 : this.failures + 1;
    if (failure !== null && hasLeft) this.unrecordedRunId = id;
    if (failure === null || !this.enabled || this.failures < MAX_FAILURES) return false;
    this.enabled = false;
    this.disabledReason = failure;
    this.disabledDetail = failureDetail;
    return true;
  }
}
