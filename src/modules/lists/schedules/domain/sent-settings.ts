import type { BlocklistBound, NewSettings, Source, SourceSecret } from './schedule.js';

/** A source as it is sent. */
export interface SentSource {
  source: Source;
  /** Of its secret; null: the stored one stays, where the source is of the same kind and on the same host. */
  values: SourceSecret['values'] | null;
}

export type NewSchedule = Omit<NewSettings, 'source'> & { source: SentSource };

export type ScheduleChanges = Partial<Omit<NewSchedule, 'maxBlocklisted'>> & {
  maxBlocklisted?: Partial<BlocklistBound>;
};
