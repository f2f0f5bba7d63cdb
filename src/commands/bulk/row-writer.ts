import type { RowResult } from '../../kernel/list-files/list-entry.js';
import {
  csvHeader,
  csvRows,
  encoded,
  type CsvFormat,
} from '../../modules/lists/bulk/results/result-files.dto.js';
import type { KeptRow, KeptRows } from './kept-rows.js';
import type { ListOutcome, ListRun } from './list-run.js';
import type { LocalOutput } from './local-output.js';

/** Meanwhile most rows of a fast list are written. A killed process verifies the others once more. */
const KEEP_AFTER_MS = 100;

/** Writes the rows of a local run in input order, and keeps those that are done before. */
export class RowWriter {
  readonly outcome: ListOutcome;
  private readonly kept: KeptRows | null;
  /** Rows that are done and not kept yet. */
  private done: KeptRow[] = [];
  private timer: NodeJS.Timeout | null = null;
  private failure: { error: unknown } | null = null;

  constructor(
    private readonly output: LocalOutput,
    private readonly format: CsvFormat,
    private readonly only: ListRun['only'],
  ) {
    const { rows, byStatus, byReason } = output.progress;
    this.outcome = { rows, byStatus: { ...byStatus }, byReason: { ...byReason } };
    this.kept = output.kept;
  }

  /** Rows with a result of an interrupted run. */
  get previous(): number {
    return this.outcome.rows + (this.kept?.count ?? 0);
  }

  readonly isKept = (index: number): boolean => this.kept?.get(index) !== undefined;

  /** Until the rows before them are written. */
  keep(rows: readonly RowResult[]): void {
    if (this.kept === null) return;
    for (const row of rows) if (row.verdict !== null) this.done.push({ ...row, verdict: row.verdict });
    this.timer ??= setTimeout(() => this.keepDone(), KEEP_AFTER_MS);
  }

  /** Synchronous, for the handler of a signal. */
  readonly keepDone = (): void => {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const rows = this.done.filter(({ index }) => index >= this.outcome.rows);
    this.done = [];
    try {
      this.kept?.add(rows);
    } catch (error) {
      this.failure = { error };
    }
  };

  /** @param rows the next ones in input order. */
  async append(rows: readonly RowResult[]): Promise<void> {
    if (this.failure !== null) throw this.failure.error;
    const title = this.outcome.rows === 0 ? csvHeader(this.format) : '';
    const results = rows.map((row) => this.kept?.get(row.index) ?? row);
    for (const { verdict } of results) this.count(verdict);
    await this.output.append(encoded(title + this.textOf(results), this.format), this.outcome);
    for (const { index } of rows) this.kept?.delete(index);
  }

  async complete(): Promise<ListOutcome> {
    if (this.outcome.rows === 0)
      await this.output.append(encoded(csvHeader(this.format), this.format), this.outcome);
    await this.output.complete();
    return this.outcome;
  }

  /** What is done stays for the next run. */
  async close(): Promise<void> {
    this.keepDone();
    await this.output.close();
  }

  private count(verdict: RowResult['verdict']): void {
    const { byStatus, byReason } = this.outcome;
    this.outcome.rows++;
    if (verdict === null) return;
    byStatus[verdict.status] = (byStatus[verdict.status] ?? 0) + 1;
    byReason[verdict.reason] = (byReason[verdict.reason] ?? 0) + 1;
  }

  private textOf(rows: readonly RowResult[]): string {
    const { only } = this;
    const shown = rows.filter(({ verdict }) => only === null || (verdict && only.includes(verdict.status)));
    return shown.length === 0 ? '' : csvRows(shown, this.format);
  }
}
