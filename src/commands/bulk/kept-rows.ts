import { appendFileSync, closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { RowResult } from '../../kernel/list-files/list-entry.js';
import type { Verdict } from '../../kernel/verdict.js';
import { APPEND, lengthOfFile, PRIVATE_MODE } from './private-file.js';

/** A row that is done while one before it is not. */
export type KeptRow = RowResult & { verdict: Verdict };

/** As long as rows are read as they were written. */
const VERSION = 1;
/** Rows that were written in the meantime are removed from the file when they are more than four times the others. */
const MIN_COMPACTION_BYTES = 4_000_000;
const MAX_SHARE = 4;

/** Beside the output; deleted when the output is complete. */
export function keptFileOf(output: string): string {
  return `${output}.kept`;
}

/**
 * Rows of a local run that are done before those in front of them, in a file of lines. It is written synchronously,
 * also when a signal ends the process.
 */
export class KeptRows {
  private readonly rows = new Map<number, { row: KeptRow; bytes: number }>();
  private readonly title: string;
  private bytes = 0;
  private keptBytes = 0;
  /** null: not open. */
  private file: number | null = null;

  private constructor(
    private readonly path: string,
    digest: string,
  ) {
    this.title = JSON.stringify({ version: VERSION, digest });
  }

  /**
   * @param digest of the list and how it is read: other rows are no use.
   * @param first the first row that is not written yet.
   */
  static async open(output: string, digest: string, first: number): Promise<KeptRows> {
    const kept = new KeptRows(keptFileOf(output), digest);
    if ((await lengthOfFile(kept.path)) !== null) kept.read(await readFile(kept.path, 'utf8'), first);
    if (kept.count > 0) kept.rewrite();
    else rmSync(kept.path, { force: true });
    return kept;
  }

  get count(): number {
    return this.rows.size;
  }

  get(index: number): KeptRow | undefined {
    return this.rows.get(index)?.row;
  }

  add(rows: readonly KeptRow[]): void {
    if (rows.length === 0) return;
    const lines = rows.map((row) => this.remember(row)).join('');
    if (this.file === null || this.bytes > MIN_COMPACTION_BYTES + MAX_SHARE * this.keptBytes) this.rewrite();
    else this.write(this.file, lines);
  }

  /** Of a row that is written. */
  delete(index: number): void {
    this.keptBytes -= this.rows.get(index)?.bytes ?? 0;
    this.rows.delete(index);
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }

  remove(): void {
    this.close();
    rmSync(this.path, { force: true });
  }

  private read(text: string, first: number): void {
    const [title, ...lines] = text.split('\n');
    if (title !== this.title) return;
    for (const row of lines.flatMap((line) => rowIn(line) ?? [])) if (row.index >= first) this.remember(row);
  }

  private remember(row: KeptRow): string {
    const line = lineOf(row);
    const bytes = Buffer.byteLength(line);
    this.delete(row.index);
    this.rows.set(row.index, { row, bytes });
    this.keptBytes += bytes;
    return line;
  }

  private write(file: number, text: string): void {
    appendFileSync(file, text);
    this.bytes += Buffer.byteLength(text);
  }

  /** Replaces the file atomically. */
  private rewrite(): void {
    this.close();
    const next = `${this.path}.new`;
    rmSync(next, { force: true });
    const file = openSync(next, 'wx', PRIVATE_MODE);
    const lines = [...this.rows.values()].map(({ row }) => lineOf(row));
    try {
      this.bytes = 0;
      this.write(file, [`${this.title}\n`, ...lines].join(''));
    } finally {
      closeSync(file);
    }
    renameSync(next, this.path);
    this.file = openSync(this.path, APPEND);
  }
}

function lineOf({ index, email, ref, verdict, duplicateOf }: KeptRow): string {
  return `${JSON.stringify({ index, email, ref, verdict, duplicateOf })}\n`;
}

/** @returns null for a line that is cut off. */
function rowIn(line: string): KeptRow | null {
  try {
    const row = JSON.parse(line) as KeptRow;
    return { ...row, verdict: { ...row.verdict, verifiedAt: new Date(row.verdict.verifiedAt) } };
  } catch {
    return null;
  }
}
