import type { ListChoice } from './use-list-upload';
import type { TableFile } from './table-file';

/** A file that was uploaded in this tab, and how. */
export interface SentFile {
  job: string;
  table: TableFile;
  choice: ListChoice;
}

/** The last one, so that its list can be read in another way: a file is the largest thing in the memory of the tab. */
let sent: SentFile | null = null;
let isReturned = false;

export const sentFile = {
  /** null: the file of this list is not in this tab. */
  of: (job: string): SentFile | null => (sent?.job === job ? sent : null),
  set(next: SentFile | null): void {
    sent = next;
    isReturned = false;
  },
  /** Shows the form of the file again where the next list is chosen. */
  giveBack(): void {
    isReturned = true;
  },
  /** What was given back; null: nothing was, or it is shown already. */
  returned: (): SentFile | null => (isReturned ? sent : null),
  show(): void {
    isReturned = false;
  },
};
