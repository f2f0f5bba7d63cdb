import { ImportSum } from '../receipts/import-sum.js';
import { plural } from '../../terminal.js';
import { SKIPPED, type LogOutcome, type Skipped } from './log-line.js';

/** What became of the lines of a log. */
export class LogSum {
  /** What the service says of the outcomes. */
  readonly sent = new ImportSum();
  private lines = 0;
  private readonly found = { delivered: 0, bounced: 0 };
  private readonly skipped = new Map<Skipped, number>();

  add(read: LogOutcome | Skipped): void {
    this.lines++;
    if (typeof read === 'string') this.skipped.set(read, (this.skipped.get(read) ?? 0) + 1);
    else this.found[read.outcome]++;
  }

  /** As `--json` prints it. */
  toJSON() {
    return { lines: this.lines, ...this.found, skipped: this.counts(), ...this.sent.toJSON() };
  }

  text(): string {
    const { delivered, bounced } = this.found;
    return [
      `${plural(this.lines, 'line')}: ${delivered} delivered, ${bounced} bounced`,
      ...Object.entries(this.counts())
        .filter(([, count]) => count > 0)
        .map(([kind, count]) => `  ${count} skipped, ${kind}: ${SKIPPED[kind as Skipped]}`),
      this.sent.text(),
    ].join('\n');
  }

  private counts(): Record<Skipped, number> {
    const kinds = Object.keys(SKIPPED) as Skipped[];
    return Object.fromEntries(kinds.map((kind) => [kind, this.skipped.get(kind) ?? 0])) as Record<
      Skipped,
      number
    >;
  }
}
