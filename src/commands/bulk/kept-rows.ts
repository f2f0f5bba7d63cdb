import { appendFileSync, closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Reason, Status } from '../../kernel/verdict.js';
import { APPEND, lengthOfFile, PRIVATE_MODE } from './private-file.js';

/** A row that is done while one before it is not. */
export interface KeptRow {
  status: Status;
  reason: Reason;
  /** Its line of the output; empty if it is not written. */
  text: string;
}

/** What the rows belong to: rows of another list or in another format are no use. */
interface Origin {
  digest: string;
  format: string;
}

type Line = [index: number, status: Status, reason: Reason, text: string];

const NO_LINE: Line = [-1, 'unknown', 'internal_error', ''];
/** Rows that were written in the meantime are removed from the file when they are more than four times the others. */
const MIN_COMPACTION_BYTES = 1_000_000;
const MAX_SHARE = 4;

/** Beside the output; deleted when the output is complete. */
export function keptFileOf(output: string): string {
  return `${output}.kept`;
}

/**
 * Rows of a local run that are done before those in front of them, in a file of lines. Written synchronously, so
 * that an interrupted or killed process loses nothing that it has kept.
 */
export class KeptRows {
  private readonly rows = new Map<number, KeptRow & { bytes: number }>();
  private bytes = 0;
  private keptBytes = 0;
  /** null: not open. */
  private file: number | null = null;

  private constructor(
    private readonly path: string,
    private readonly origin: Origin,
  ) {}

  /** @param first the first row that is not written yet. */
  static async open(output: string, { digest, format }: Origin, first: number): Promise<KeptRows> {
    const kept = new KeptRows(keptFileOf(output), { digest, format });
    if ((await lengthOfFile(kept.path)) !== null) kept.read(await readFile(kept.path, 'utf8'), first);
    if (kept.count > 0) kept.rewrite();
    else rmSync(kept.path, { force: true });
    return kept;
  }

  get count(): number {
    return this.rows.size;
  }

  get(index: number): KeptRow | undefined {
    return this.rows.get(index);
  }

  add(rows: ReadonlyMap<number, KeptRow>): void {
    if (rows.size === 0) return;
    const lines = [...rows].map(([index, row]) => this.remember(index, row)).join('');
    if (this.file === null || this.bytes > MIN_COMPACTION_BYTES + MAX_SHARE * this.keptBytes) this.rewrite();
    else this.write(this.file, lines);
  }

  /** Of a row that is written. */
  delete(index: number): void {
    const row = this.rows.get(index);
    if (row === undefined) return;
    this.rows.delete(index);
    this.keptBytes -= row.bytes;
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
    const [origin, ...lines] = text.split('\n');
    if (origin !== JSON.stringify(this.origin)) return;
    for (const line of lines) {
      const [index, status, reason, text] = parsed(line) ?? NO_LINE;
      if (index >= first) this.remember(index, { status, reason, text });
    }
  }

  private remember(index: number, row: KeptRow): string {
    const line = lineOf(index, row);
    const bytes = Buffer.byteLength(line);
    this.delete(index);
    this.rows.set(index, { ...row, bytes });
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
    const lines = [...this.rows].map(([index, row]) => lineOf(index, row));
    try {
      this.bytes = 0;
      this.write(file, [`${JSON.stringify(this.origin)}\n`, ...lines].join(''));
    } finally {
      closeSync(file);
    }
    renameSync(next, this.path);
    this.file = openSync(this.path, APPEND);
  }
}

/** @returns null for a line that is cut off. */
function parsed(line: string): Line | null {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return null;
  }
}

function lineOf(index: number, { status, reason, text }: KeptRow): string {
  const line: Line = [index, status, reason, text];
  return `${JSON.stringify(line)}\n`;
}
