import type { OutcomeReceipt } from '../../../modules/events/outcome-intake/outcome-intake.dto.js';

/** Entries that are not used for the same reason. */
interface Ignored {
  code: string;
  count: number;
  message: string;
  /** The first of them, for people. */
  first: string;
}

export class ImportSum {
  private received = 0;
  private stored = 0;
  private duplicates = 0;
  private readonly byCode = new Map<string, Ignored>();

  add(receipt: OutcomeReceipt, where: (index: number) => string): void {
    this.received += receipt.received;
    this.stored += receipt.stored;
    this.duplicates += receipt.duplicates;
    for (const { index, code, message } of receipt.ignored) this.ignore(code, message, where(index));
  }

  /** A message that the service cannot read. */
  addUnreadable(code: string, message: string, where: string): void {
    this.received++;
    this.ignore(code, message, where);
  }

  get isUseless(): boolean {
    return this.received > 0 && this.stored + this.duplicates === 0;
  }

  /** As `--json` prints it. */
  toJSON() {
    const { received, stored, duplicates } = this;
    const ignored = [...this.byCode.values()].toSorted((a, b) => b.count - a.count);
    return { received, stored, duplicates, ignored };
  }

  text(): string {
    const { received, stored, duplicates, ignored } = this.toJSON();
    const count = ignored.reduce((sum, entry) => sum + entry.count, 0);
    return [
      `${received} received: ${stored} stored, ${duplicates} stored before, ${count} ignored`,
      ...ignored.map((entry) => `  ${entry.count} ${entry.code}: ${entry.message} (first: ${entry.first})`),
    ].join('\n');
  }

  private ignore(code: string, message: string, first: string): void {
    const ignored = this.byCode.get(code) ?? { code, count: 0, message, first };
    ignored.count++;
    this.byCode.set(code, ignored);
  }
}
