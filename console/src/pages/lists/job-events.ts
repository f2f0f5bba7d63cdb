import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { open, type BulkJob } from '../../api/client';
import { ApiError } from '../../api/problem';
import { jobQuery } from '../../api/queries';

const RECONNECT_MS = 2_000;
const POLL_MS = 3_000;
/** The stream reports no change of the time of the next attempt. */
const DEFERRED_POLL_MS = 15_000;

export const isEnded = ({ finished_at: at }: Pick<BulkJob, 'finished_at'>) => at !== null;

/**
 * The job, followed by server-sent events until it ends. While no stream is open the job is polled.
 * `fetch` reads the stream, because `EventSource` sends no Authorization header.
 */
export function useJob(id: string) {
  const client = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  const query = useQuery({
    ...jobQuery(id),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || isEnded(data) ? false : isLive ? data.deferred > 0 && DEFERRED_POLL_MS : POLL_MS,
  });
  const isOpen = query.data !== undefined && !isEnded(query.data);
  useEffect(() => {
    if (!isOpen) return;
    const ended = new AbortController();
    const put = (job: BulkJob) => {
      setIsLive(true);
      client.setQueryData(jobQuery(id).queryKey, job);
    };
    const done = () => setIsLive(false);
    void follow(id, put, done, ended.signal).finally(done);
    return () => ended.abort();
  }, [id, isOpen, client]);
  return { query, isLive };
}

/** Opens the stream again when it breaks, until the job has ended. */
async function follow(
  id: string,
  put: (job: BulkJob) => void,
  onBreak: () => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await open(
        `v1/bulk-jobs/${encodeURIComponent(id)}/events`,
        'text/event-stream',
        signal,
      );
      for await (const job of eventsOf(response)) {
        put(job);
        if (isEnded(job)) return;
      }
    } catch (error) {
      // These errors are permanent; too many streams are temporary.
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) return;
    }
    onBreak();
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}

async function* eventsOf(response: Response): AsyncGenerator<BulkJob> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const line = event.split('\n').find((each) => each.startsWith('data: '));
      if (line !== undefined) yield JSON.parse(line.slice('data: '.length)) as BulkJob;
    }
  }
}
