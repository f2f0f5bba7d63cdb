import type { FactsRecord } from './address-facts.repository.js';

/** Records that are stored together. A process that is killed loses at most these. */
const MAX_RECORDS = 100;

/** Collects the facts of a batch and stores them in groups. */
export class FactsBuffer {
  /** By key: one statement must not contain an address twice. */
  private records = new Map<string, FactsRecord>();

  constructor(private readonly store: (records: readonly FactsRecord[]) => Promise<void>) {}

  /** Waits only when this record completes a group. @throws when the group cannot be stored. */
  async add(record: FactsRecord): Promise<void> {
    this.records.set(record.key, record);
    if (this.records.size >= MAX_RECORDS) await this.flush();
  }

  async flush(): Promise<void> {
    const records = [...this.records.values()];
    this.records = new Map();
    if (records.length > 0) await this.store(records);
  }
}
