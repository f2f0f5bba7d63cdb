import { createReadStream } from 'node:fs';
import { NotFound } from '../../kernel/errors.js';
import type { Engine } from '../../engine/engine.js';
import type { RowResult } from '../../kernel/list-files/list-entry.js';
import { newId } from '../../kernel/ids.js';
import type { Reason, Status, Verdict } from '../../kernel/verdict.js';
import { toCsv, toNdjson } from '../../modules/lists/bulk/results/result-files.dto.js';
import { toResult } from '../../modules/lists/bulk/results/bulk-results.dto.js';
import {
  DEFAULT_PAGE,
  type ListArguments,
  type ResultsArguments,
} from '../../modules/protocols/mcp/mcp.tools.js';
import { scanList, verifyList, type ListScan, type LocalList } from '../bulk/local-list.js';
import { UsageError } from '../terminal.js';
import { outputFormat, requireList, writeNewFile } from './tool-files.js';
import { append } from '../../kernel/long-lists.js';

type NamedList = Omit<ListArguments, 'name'> & { name?: string | null };

interface LocalJob {
  id: string;
  name: string | null;
  scan: ListScan;
  rows: RowResult[];
  processed: number;
  failure: string | null;
  isEnded: boolean;
}

/** A row takes about 5 kB of memory. `rcpt bulk` has no limit. */
const MAX_ROWS = 10_000;
const MAX_LISTS = 3;

/** Lists that this process verifies, one at a time, and keeps in memory. */
export class LocalLists {
  private readonly jobs: LocalJob[] = [];
  private isBusy = false;

  constructor(private readonly engine: Engine) {}

  /** @throws UsageError */
  async start({ emails = [], file, name = null }: NamedList): Promise<object> {
    if (this.isBusy) throw new UsageError('another list is being verified; wait until it has ended');
    this.isBusy = true;
    try {
      if (file !== undefined) await requireList(file);
      const list: LocalList =
        file === undefined
          ? { open: () => csvOf(emails), options: { column: 'email', header: true } }
          : { open: () => createReadStream(file), options: {} };
      const scan = await this.scan(list);
      const job = { id: newId('job'), name, scan, rows: [], processed: 0, failure: null, isEnded: false };
      this.jobs.push(job);
      this.jobs.splice(0, this.jobs.length - MAX_LISTS);
      void this.verify(job, list);
      return describe(job);
    } catch (error) {
      this.isBusy = false;
      throw error;
    }
  }

  /** @throws NotFound */
  get(id: string): object {
    return describe(this.find(id));
  }

  /** @throws NotFound, UsageError */
  async results({
    id,
    output,
    cursor,
    limit = DEFAULT_PAGE,
    status,
    reason,
  }: ResultsArguments): Promise<object> {
    const { rows, scan, isEnded } = this.find(id);
    const { header } = scan;
    const wanted = rows.filter(({ verdict }) => isWanted(verdict, status, reason));
    if (output === undefined) {
      const after = cursorOf(cursor);
      const page = wanted.filter(({ index }) => index > after).slice(0, limit);
      const last = page.at(-1)?.index ?? after;
      const more = (wanted.at(-1)?.index ?? -1) > last || !isEnded;
      const next = more ? String(last) : null;
      return { data: page.map((row) => toResult(row, header.columns)), has_more: more, next_cursor: next };
    }
    const format = { ...header, formulaGuard: true };
    const chunks =
      outputFormat(output) === 'csv' ? toCsv(once(wanted), format) : toNdjson(once(wanted), header.columns);
    return { file: await writeNewFile(output, chunks) };
  }

  /** @throws UsageError */
  private async scan(list: LocalList): Promise<ListScan> {
    const scan = await scanList(list, this.engine);
    if (scan.rows === 0) throw new UsageError('the list has no rows');
    if (scan.rows > MAX_ROWS)
      throw new UsageError(`the list has more than ${MAX_ROWS} rows; run rcpt bulk, which has no limit`);
    return scan;
  }

  private async verify(job: LocalJob, list: LocalList): Promise<void> {
    try {
      const onVerified = (rows: readonly RowResult[]) => (job.processed += rows.length);
      for await (const rows of verifyList(list, this.engine, { scan: job.scan, skip: 0, onVerified }))
        append(job.rows, rows);
    } catch {
      job.failure = 'The list was changed while it was read, or this process ends.';
    }
    job.isEnded = true;
    this.isBusy = false;
  }

  /** @throws NotFound */
  private find(id: string): LocalJob {
    const job = this.jobs.find((candidate) => candidate.id === id);
    if (job === undefined)
      throw new NotFound(`There is no such list. The last ${MAX_LISTS} are kept until this process ends.`);
    return job;
  }
}

/** As the API shows a job. */
function describe({ id, name, scan, rows, processed, failure, isEnded }: LocalJob): object {
  const verdicts = rows.flatMap(({ verdict }) => verdict ?? []);
  return {
    ...{ id, name, status: !isEnded ? 'running' : failure === null ? 'completed' : 'failed' },
    ...{ total: scan.rows, empty: scan.empty, processed, failure, eta_seconds: null },
    by_status: counts(verdicts.map(({ status }) => status)),
    by_reason: counts(verdicts.map(({ reason }) => reason)),
  };
}

function counts(names: readonly string[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const name of names) counted[name] = (counted[name] ?? 0) + 1;
  return counted;
}

function isWanted(verdict: Verdict | null, status: Status | undefined, reason: Reason | undefined): boolean {
  return (
    (status === undefined || verdict?.status === status) &&
    (reason === undefined || verdict?.reason === reason)
  );
}

/** @throws UsageError */
function cursorOf(cursor: string | undefined): number {
  if (cursor === undefined) return -1;
  if (!/^\d{1,9}$/.test(cursor)) throw new UsageError('send next_cursor of the previous page, unchanged');
  return Number(cursor);
}

async function* csvOf(emails: readonly string[]): AsyncGenerator<Buffer> {
  const lines = ['email', ...emails.map((email) => `"${email.replaceAll('"', '""')}"`)];
  yield* once(Buffer.from(`${lines.join('\n')}\n`));
}

async function* once<T>(item: T): AsyncGenerator<T> {
  yield item;
}
