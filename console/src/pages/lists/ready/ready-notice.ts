import { useState } from 'react';
import { api, data, type BulkJob } from '../../../api/client';
import { currentKey } from '../../../api/session';
import { notice } from '../../../ui/notice';
import { isEnded } from '../job-events';

const POLL_MS = 4_000;
/** Rows wait for their mail servers for two hours at most; a request may fail meanwhile. */
const MAX_FAILURES = 100;
/** Lists that are watched as long as this tab is open. */
const watched = new Set<string>();

/** Asks the browser for permission, and says when the list is ready, whatever page of the console is shown then. */
export function useReadyNotice(id: string, textOf: (job: BulkJob) => string) {
  const [isAsked, setIsAsked] = useState(watched.has(id));
  const ask = async () => {
    setIsAsked(true);
    watched.add(id);
    if (mayNotify()) await Notification.requestPermission();
    void watch(id, textOf);
  };
  return { isAsked, ask };
}

/** Without it, or if it is refused, the console itself says it. */
const mayNotify = () => 'Notification' in globalThis;

async function watch(id: string, textOf: (job: BulkJob) => string): Promise<void> {
  const key = currentKey();
  let failures = 0;
  while (key === currentKey() && failures < MAX_FAILURES) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    try {
      const job = await data(api.GET('/v1/bulk-jobs/{id}', { params: { path: { id } } }));
      if (key !== currentKey()) break;
      if (!isEnded(job)) continue;
      say(job, textOf(job));
      break;
    } catch {
      failures++;
    }
  }
  watched.delete(id);
}

function say({ id }: BulkJob, text: string): void {
  // The page of the list shows it.
  if (!location.pathname.endsWith(id)) notice.set({ text, job: id });
  if (mayNotify() && Notification.permission === 'granted') {
    const shown = new Notification(text, { tag: id });
    shown.onclick = () => focus();
  }
}
