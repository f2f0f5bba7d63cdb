import type { TeamId } from '../../../../kernel/principal.js';
import type {
  ListFault,
  OpenedList,
  SourcePlace,
  SubscriberResult,
  WrittenCounts,
} from '../domain/list-source.js';
import type { ListmonkAction, Source, SourceSecret } from '../domain/schedule.js';

/** A source, and what its requests carry. */
export interface OwnedSource<Kind extends Source> {
  source: Kind;
  secret: SourceSecret;
}

/** All that Rcpt does with one kind of source: `ListSource` for it. */
export interface SourceAdapter<Kind extends Source> {
  open(
    owned: OwnedSource<Kind> & { team: TeamId },
    place: SourcePlace | null,
    signal: AbortSignal,
  ): Promise<OpenedList>;

  check(owned: OwnedSource<Kind>): Promise<readonly ListFault[]>;

  write(
    owned: OwnedSource<Kind> & { action: ListmonkAction },
    rows: readonly SubscriberResult[],
    signal: AbortSignal,
  ): Promise<WrittenCounts>;
}
