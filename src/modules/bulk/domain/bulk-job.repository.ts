import type { Mode, TeamId } from '../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import type { BulkJob, JobStatus } from './bulk-job.js';

/** Whose jobs: those under test keys are apart from live ones. */
export interface JobOwner {
  teamId: TeamId;
  mode: Mode;
}

/** Port: the jobs. Their rows and results are `ListRepository`'s, their work `WorkRepository`'s. */
export abstract class BulkJobRepository {
  /** Takes the job in, and gives it its list; part of the open unit of work. */
  abstract add(job: BulkJob): Promise<void>;

  abstract save(job: BulkJob): Promise<void>;

  /** The job of a list, which nobody else can change until the open unit of work ends; null: there is none. */
  abstract lockForUpdate(list: string): Promise<BulkJob | null>;

  /** The job of a list as it stands, whatever its state. */
  abstract get(list: string): Promise<BulkJob | null>;

  /** Work on it has begun; nothing when it had before. */
  abstract begin(list: string, now: Date): Promise<void>;

  /** null: it does not exist, is another's, or cannot be seen (yet, or any more). */
  abstract find(owner: JobOwner, id: string): Promise<BulkJob | null>;

  /** Newest first. @param status null: all that can be seen. */
  abstract page(owner: JobOwner, status: JobStatus | null, request: PageRequest): Promise<Page<BulkJob>>;

  /** Lets nobody else of this owner begin a job until the open unit of work ends. */
  abstract acquireLock(owner: JobOwner): Promise<void>;

  /** Jobs that have not ended, those still coming in included. */
  abstract countOpen(owner: JobOwner): Promise<{ receiving: number; all: number }>;

  /** Rows of all jobs that are still to be answered; `own` are this team's. */
  abstract rowsWaiting(teamId: TeamId): Promise<{ own: number; all: number }>;

  /** Jobs that came in whole, or are coming in, since then. */
  abstract countSince(owner: JobOwner, since: Date): Promise<number>;

  /** Lists in that state whose last sign of life is older. */
  abstract untouchedSince(state: 'receiving' | 'erasing', before: Date): Promise<string[]>;

  /** Lists whose job has ended so long ago that its days, or the days that its team has set since, are over. */
  abstract expired(now: Date): Promise<string[]>;

  /** Open lists of which only deferred addresses are left, the last other one done before that. */
  abstract onlyDeferredSince(before: Date): Promise<string[]>;

  /** Lists that can be seen although their team is gone. */
  abstract abandoned(): Promise<string[]>;

  /** Lists of a team that can be seen. An upload under way is left to its own end. */
  abstract listsOf(teamId: TeamId): Promise<string[]>;

  /** The last of a job whose rows are gone. */
  abstract remove(list: string): Promise<void>;
}
