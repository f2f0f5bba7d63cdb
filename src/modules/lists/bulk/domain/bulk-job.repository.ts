import type { ListId } from '../../../../kernel/ids.js';
import type { UniqueBy } from '../../../../kernel/list-files/list-format.js';
import type { TeamId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { BulkJob, JobStatus } from './bulk-job.js';

/** The team and mode of jobs; test jobs are separate from live ones. */
export type JobScope = Pick<BulkJob, 'teamId' | 'mode'>;

/** Which jobs of a scope; undefined: any. */
export interface JobFilter {
  status?: JobStatus | undefined;
  /** A part of the name, in upper or lower case. */
  name?: string | undefined;
  /** Without those that have expired now, with the team's current retention. */
  retentionDays: number;
  now: Date;
}

/** A list of any team. */
export interface StoredList {
  listId: ListId;
  jobId: string;
  uniqueBy: UniqueBy;
  /** False: it is being uploaded or verified. */
  isEnded: boolean;
}

/** Port: the jobs. Rows and results are in `ListRepository`, chunks in `ChunkRepository`. */
export abstract class BulkJobRepository {
  /** Stores the job and assigns its list, within the open unit of work. */
  abstract add(job: BulkJob): Promise<void>;

  abstract save(job: BulkJob): Promise<void>;

  /** The job of a list, locked until the open unit of work ends; null: there is none. */
  abstract findForUpdate(listId: ListId): Promise<BulkJob | null>;

  /** The job of a list, in any state; null: there is none. */
  abstract findByList(listId: ListId): Promise<BulkJob | null>;

  /** Marks the job as started; no effect when it has started before. */
  abstract markStarted(listId: ListId, now: Date): Promise<void>;

  /** null: it does not exist, belongs to another team or mode, or is hidden. */
  abstract find(scope: JobScope, id: string): Promise<BulkJob | null>;

  /** Newest first. */
  abstract list(scope: JobScope, filter: JobFilter, request: PageRequest): Promise<Page<BulkJob>>;

  /** Locks the creation of these jobs until the open unit of work ends. */
  abstract lockCreation(scope: JobScope): Promise<void>;

  /** Jobs that have not ended, including uploads in progress. */
  abstract countOpen(scope: JobScope): Promise<{ receiving: number; all: number }>;

  /** Lists that are held, or were and are being deleted, and their rows. */
  abstract countHeld(scope: JobScope, now: Date): Promise<{ lists: number; rows: number }>;

  /**
   * Lists received since then that are held, or were canceled, deleted or refused with rows that were not verified,
   * and these rows. Nothing is charged for them.
   */
  abstract countUnverified(scope: JobScope, since: Date): Promise<{ lists: number; rows: number }>;

  /** Rows without a result in all jobs; `own`: in those of this team. */
  abstract countWaiting(teamId: TeamId): Promise<{ own: number; all: number }>;

  /** Jobs received since then, without refused ones. */
  abstract countSince(scope: JobScope, since: Date): Promise<number>;

  /** Lists in that state whose last activity is older. */
  abstract listUntouchedSince(state: 'receiving' | 'erasing', before: Date): Promise<ListId[]>;

  /** Teams that have jobs, in the order of their ids. @param after the last id of the previous page; null: the first page. */
  abstract listTeams(after: TeamId | null, limit: number): Promise<TeamId[]>;

  /**
   * Lists of these teams whose job has ended and whose retention, or the team's shorter one, is over.
   *
   * @param retentionDays that each team has set since; null: none.
   */
  abstract listExpired(now: Date, retentionDays: ReadonlyMap<TeamId, number | null>): Promise<ListId[]>;

  /**
   * Open lists in which only deferred addresses are left, and whose last other address was completed before
   * that time.
   */
  abstract listOnlyDeferredSince(before: Date): Promise<ListId[]>;

  /** Visible lists of a team. Uploads in progress are not included. */
  abstract listByTeam(teamId: TeamId): Promise<ListId[]>;

  /** Lists of all teams, in order. @param after the last of the previous call; null: from the start. */
  abstract listAll(after: ListId | null, limit: number): Promise<StoredList[]>;

  /** Deletes the job itself, after its rows. */
  abstract delete(listId: ListId): Promise<void>;
}
