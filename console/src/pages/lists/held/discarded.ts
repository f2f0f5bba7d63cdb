import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { currentKey } from '../../../api/session';
import { listPagesEn } from '../../../texts/lists/list-pages.en';
import { useTexts } from '../../../texts/texts';
import { notice } from '../../../ui/notice';
import { deleteJob } from '../delete-job';

/**
 * Held lists that a person has deleted. They are no longer shown; the service deletes them once the offer to undo
 * ends, because nothing could make them again.
 */
let discarded: ReadonlySet<string> = new Set();
/** Ends with the last deletion. */
let sent: Promise<unknown> = Promise.resolve();
const listeners = new Set<() => void>();

function change(ids: Iterable<string>): void {
  discarded = new Set(ids);
  for (const listener of listeners) listener();
}

const put = (id: string) => change([...discarded, id]);
const takeOut = (id: string) => change([...discarded].filter((each) => each !== id));

export const useDiscarded = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => discarded,
  );

/** Deletes a held list without a question, and offers to undo it on the page of all lists. */
export function useDiscard(job: { id: string; name: string | null }): () => void {
  const t = useTexts(listPagesEn);
  const client = useQueryClient();
  return () => {
    // The session may have another key when the offer ends.
    const key = currentKey() ?? '';
    let isUndone = false;
    put(job.id);
    notice.set({
      text: t.held.discarded(job.name ?? t.lists.untitled),
      at: '/lists',
      undo: () => {
        isUndone = true;
        takeOut(job.id);
        return Promise.resolve();
      },
      end: () => {
        if (!isUndone) sent = erase(job.id, client, key);
      },
    });
  };
}

async function erase(id: string, client: QueryClient, key: string): Promise<void> {
  // One that could not be deleted is shown again; the service deletes it after a day.
  await deleteJob(id, client, key).catch(() => client.invalidateQueries({ queryKey: ['jobs'] }));
  takeOut(id);
}

/** Before another list is sent: as many as may be held are counted by the service. */
export async function endDiscards(): Promise<void> {
  notice.endUndo();
  await sent;
}

// The list must not stay because its tab was closed.
addEventListener('pagehide', () => notice.endUndo());
