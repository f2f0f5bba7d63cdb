import { open, rename, truncate, type FileHandle } from 'node:fs/promises';
import { KeptRows } from './kept-rows.js';
import type { ListOutcome, ListRun } from './list-run.js';
import { APPEND, createPrivateFile, lengthOfFile } from './private-file.js';
import { progressFileOf, readProgress, removeProgress, writeProgress } from './progress-file.js';

/** The rows of a local run that are written. */
interface LocalProgress extends ListOutcome {
  digest: string;
  /** How rows are written. The output has one format, so that another one starts from the beginning. */
  format: string;
  /** Length of the output with these rows; bytes behind it belong to rows that were not completely written. */
  bytes: number;
}

/** Takes the rows of a local run in input order. */
export interface LocalOutput {
  readonly progress: ListOutcome;
  /** Rows that are done before those in front of them; null: they cannot be kept. */
  readonly kept: KeptRows | null;
  /** @param progress with these rows; it is kept after they are written. */
  append(text: string | Uint8Array, progress: ListOutcome): Promise<void>;
  /** After the last row. */
  complete(): Promise<void>;
  close(): Promise<void>;
}

/** @returns an output that has the rows of an interrupted run of the same list. */
export function openLocalOutput(run: ListRun): Promise<LocalOutput> {
  return run.output === null ? Promise.resolve(new StandardOutput()) : LocalFile.open(run, run.output);
}

const FORMAT_VERSION = 2;

/** The file is named `….part` until it is complete. */
class LocalFile implements LocalOutput {
  private constructor(
    private readonly output: string,
    private readonly file: FileHandle,
    readonly kept: KeptRows,
    public progress: LocalProgress,
  ) {}

  static async open({ digest, formulaGuard, only }: ListRun, output: string): Promise<LocalFile> {
    const part = partOf(output);
    const format = JSON.stringify({ version: FORMAT_VERSION, formulaGuard, only });
    const stored = await readProgress<LocalProgress>(progressFileOf(output), digest);
    const isWhole = stored?.format === format && (await restore(part, stored.bytes));
    const progress = isWhole ? stored : { digest, format, rows: 0, bytes: 0, byStatus: {}, byReason: {} };
    if (!isWhole) await removeProgress(progressFileOf(output));
    const file = isWhole ? await open(part, APPEND) : await createPrivateFile(part);
    return new LocalFile(output, file, await KeptRows.open(output, digest, progress.rows), progress);
  }

  async append(text: string | Uint8Array, { rows, byStatus, byReason }: ListOutcome): Promise<void> {
    await this.file.appendFile(text);
    const bytes = this.progress.bytes + Buffer.byteLength(text);
    this.progress = { ...this.progress, rows, byStatus, byReason, bytes };
    await writeProgress(progressFileOf(this.output), this.progress);
  }

  async complete(): Promise<void> {
    await this.close();
    await rename(partOf(this.output), this.output);
    this.kept.remove();
    await removeProgress(progressFileOf(this.output));
  }

  async close(): Promise<void> {
    this.kept.close();
    await this.file.close();
  }
}

export function partOf(output: string): string {
  return `${output}.part`;
}

export class ClosedOutput extends Error {
  constructor() {
    super('standard output was closed before the list ended');
  }
}

/** Writes rows to standard output, at the pace of the program that reads them. Such a run cannot be resumed. */
export class StandardOutput implements LocalOutput {
  readonly progress: ListOutcome = { rows: 0, byStatus: {}, byReason: {} };
  readonly kept = null;

  constructor() {
    // The write that failed reports it; without a listener the process would end before.
    process.stdout.on('error', () => undefined);
  }

  /** @throws ClosedOutput if no program reads any more. */
  async append(chunk: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(chunk, (error) => (error ? reject(asSentence(error)) : resolve()));
    });
  }

  complete = () => Promise.resolve();
  close = () => Promise.resolve();
}

function asSentence(error: NodeJS.ErrnoException): Error {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED' ? new ClosedOutput() : error;
}

/** Cuts off what is behind the rows of the progress. @returns false if the file is missing or shorter. */
async function restore(part: string, bytes: number): Promise<boolean> {
  const length = await lengthOfFile(part);
  if (length === null || length < bytes) return false;
  await truncate(part, bytes);
  return true;
}
