import type { Reason, Status } from '../../kernel/verdict.js';
import { csvHeader, csvRows, type CsvFormat } from '../../modules/bulk/bulk-results.dto.js';
import type { RowResult } from '../../modules/bulk/local-list.service.js';
import type { KeptRow, KeptRows } from './kept-rows.js';
import type { ListOutcome, ListRun } from './list-run.js';
import type { LocalOutput } from './local-output.js';

/** Writes the rows of a local run in input order, and keeps those that are done before. */
export class RowWriter {
  readonly outcome: ListOutcome;
  private readonly kept: KeptRows | null;
  /** Rows that are done since the last turn of the event loop. */
  private done: RowResult[] = [];
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
    // Most rows of a fast list are written in the same turn.
    if (this.done.length === 0) setImmediate(() => this.keepDone());
    this.done.push(...rows);
  }

  /** @param rows the next ones in input order. */
  async append(rows: readonly RowResult[]): Promise<void> {
    if (this.failure !== null) throw this.failure.error;
    const title = this.outcome.rows === 0 ? csvHeader(this.format) : '';
    const text = this.textOf(rows);
    for (const { index, verdict } of rows) this.count(this.kept?.get(index) ?? verdict);
    await this.output.append(title + text, this.outcome);
    for (const { index } of rows) this.kept?.delete(index);
  }

  async complete(): Promise<ListOutcome> {
    if (this.outcome.rows === 0) await this.output.append(csvHeader(this.format), this.outcome);
    await this.output.complete();
    return this.outcome;
  }

  private keepDone(): void {
    const kept = new Map<number, KeptRow>();
    for (const row of this.done) {
      const { index, verdict } = row;
      if (index < this.outcome.rows || verdict === null) continue;
      kept.set(index, { status: verdict.status, reason: verdict.reason, text: this.linesOf([row]) });
    }
    this.done = [];
    try {
      this.kept?.add(kept);
    } catch (error) {
      this.failure = { error };
    }
  }

  private count(result: { status: Status; reason: Reason } | null): void {
    const { byStatus, byReason } = this.outcome;
    this.outcome.rows++;
    if (result === null) return;
    byStatus[result.status] = (byStatus[result.status] ?? 0) + 1;
    byReason[result.reason] = (byReason[result.reason] ?? 0) + 1;
  }

  private textOf(rows: readonly RowResult[]): string {
    const parts: string[] = [];
    let others: RowResult[] = [];
    for (const row of rows) {
      const kept = this.kept?.get(row.index);
      if (kept === undefined) others.push(row);
      else {
        parts.push(this.linesOf(others), kept.text);
        others = [];
      }
    }
    return [...parts, this.linesOf(others)].join('');
  }

  private linesOf(rows: readonly RowResult[]): string {
    const { only } = this;
    const shown = rows.filter(({ verdict }) => only === null || (verdict && only.includes(verdict.status)));
    return shown.length === 0 ? '' : csvRows(shown, this.format);
  }
}
