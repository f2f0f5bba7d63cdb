import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { BulkJob } from '../../../api/client';
import { ApiError } from '../../../api/problem';
import { useMe } from '../../../api/queries';
import { randomId } from '../../../api/random-id';
import { listPagesEn } from '../../../texts/lists/list-pages.en';
import { useLanguage, useTexts } from '../../../texts/texts';
import { notice } from '../../../ui/notice';
import { KeptFilesFull, MAX_MEGABYTES } from '../kept/kept-files';
import { deleteJob } from '../delete-job';
import { endDiscards } from '../held/discarded';
import { uploadAddresses } from './upload-addresses';
import { columnParameter, type TableFile } from './table-file';
import { rememberWorkbook } from '../workbook-lists';
import { sentFile } from './sent-file';
import { uploadList, type Upload } from './upload';

/** What the form says about the list. */
export interface ListChoice {
  name: string;
  /** Each mailbox is verified once. */
  isOnce: boolean;
  refresh: boolean;
  /** A mail says when the list is ready. */
  isMailed: boolean;
  /** The index of the column with the addresses. */
  column: number;
  /** The other columns stay in this browser. */
  keepsOthers: boolean;
}

/**
 * Sends a list, which waits for its start, and opens its page.
 *
 * @param replaced the held list of the same file, which is deleted first: it counts to those that wait.
 */
export function useListUpload(table: TableFile, replaced: string | null) {
  const t = useTexts(listPagesEn);
  const navigate = useNavigate();
  const client = useQueryClient();
  const me = useMe();
  const language = useLanguage();
  const [sent, setSent] = useState<number | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const stop = useRef<AbortController | null>(null);
  const isShown = useIsShown();
  useLeaveWarning(sent !== null);

  /** The same for retries of the same request. */
  const idempotencyKey = useRef(randomId());
  const sendAll = ({ column }: ListChoice, how: string, { query, ...request }: Request) =>
    uploadList({
      ...request,
      body: table.content,
      type: 'text/csv',
      query: {
        ...query,
        email_column: columnParameter(table, column),
        delimiter: table.delimiter,
        extract_address: true,
        ...(table.headerLine === null ? { header: false } : { header_line: table.headerLine }),
        ...(table.isEncodingOpen && { encoding: table.encoding }),
      },
      idempotencyKey: `${idempotencyKey.current} ${how}`,
    });

  /** A list of its own for each way to read the file, as its rows are others. */
  const uploads = useRef(new Map<string, string>());
  const sendAddresses = async ({ column }: ListChoice, how: string, request: Request): Promise<BulkJob> => {
    const id = uploads.current.get(how) ?? randomId();
    uploads.current.set(how, id);
    const scope = `${me?.team.id} ${me?.key.mode}`;
    try {
      return await uploadAddresses({ ...request, table, column, id, scope, idempotencyKey: id });
    } catch (caught) {
      if (caught instanceof KeptFilesFull) throw new Error(t.kept.full(MAX_MEGABYTES));
      if (caught instanceof DOMException && caught.name !== 'AbortError') throw new Error(t.kept.noStorage);
      throw caught;
    }
  };

  const send = async (choice: ListChoice) => {
    const { name, isOnce, refresh, isMailed, column, keepsOthers } = choice;
    // Other parameters are another request.
    const sheet = table.sheets.findIndex((each) => each.name === table.sheet);
    const how = `${sheet} ${column} ${table.headerLine} ${table.encoding} ${isOnce} ${refresh} ${isMailed && language}`;
    setError(null);
    setSent(0);
    stop.current = new AbortController();
    try {
      await endDiscards();
      if (replaced !== null) await discardHeld(replaced, client);
      const query = {
        name,
        hold: true,
        ...(isOnce && { unique: 'canonical' as const }),
        ...(refresh && { refresh }),
        ...(isMailed && { notify: language }),
      };
      const request = { query, onProgress: setSent, signal: stop.current.signal };
      const job = await (keepsOthers ? sendAddresses : sendAll)(choice, how, request);
      if (table.kinds !== null) rememberWorkbook(job.id, table.kinds);
      sentFile.set({ job: job.id, table, choice });
      void client.invalidateQueries({ queryKey: ['jobs'] });
      // A person who has gone to another page stays there.
      if (isShown.current) await navigate({ to: '/lists/$id', params: { id: job.id } });
      else notice.set({ text: t.lists.ready(job.name ?? t.lists.untitled), job: job.id });
    } catch (caught) {
      if ((caught as Error).name !== 'AbortError') setError(caught as Error);
      setSent(null);
    }
  };
  return {
    /** The fraction that is sent; null: nothing is being sent. */
    sent,
    error,
    send,
    stop: () => stop.current?.abort(),
  };
}

/** It may have been deleted, or have expired. */
async function discardHeld(id: string, client: QueryClient): Promise<void> {
  await deleteJob(id, client).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  });
}

type Request = Pick<Upload, 'query' | 'onProgress' | 'signal'>;

function useIsShown() {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  return isShown;
}

/** The browser asks before the tab is closed during an upload. */
function useLeaveWarning(isSending: boolean) {
  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isSending]);
}
