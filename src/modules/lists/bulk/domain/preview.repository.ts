import type { PreviewCounts } from '../../../../engine/list-preview.js';
import type { ListId } from '../../../../kernel/ids.js';
import type { TeamId } from '../../../../kernel/principal.js';
import { TeamWork } from '../../../../kernel/queue/team-work.js';

/** A preview that is claimed under a lease. */
export interface LeasedPreview {
  listId: ListId;
  /** Required to save. */
  lease: string;
  teamId: TeamId;
  /** The first chunk that is not counted. */
  nextChunk: number;
  counts: PreviewCounts;
  /** Claims, including this one. */
  attempts: number;
}

/**
 * Port: held lists, and the work on their previews, which continues where a process has ended. One preview of a team is
 * made at a time. The lease is lost too when the list is not held any more.
 */
export abstract class PreviewRepository extends TeamWork<LeasedPreview> {
  /** Within the open unit of work. */
  abstract add(listId: ListId, teamId: TeamId, heldAt: Date, counts: PreviewCounts): Promise<void>;

  /** @returns false: the lease was lost. */
  abstract save(preview: LeasedPreview): Promise<boolean>;

  /** @returns as `save`. */
  abstract finish(preview: LeasedPreview): Promise<boolean>;

  /** The list is not held any more. */
  abstract delete(listId: ListId): Promise<void>;

  /** Lists that have been held since before. */
  abstract listHeldBefore(before: Date): Promise<ListId[]>;
}
