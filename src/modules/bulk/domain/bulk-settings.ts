/** Provided by the module. */
export abstract class BulkSettings {
  /** How long a job waits for its deferred rows after its last other row. */
  abstract readonly deadlineMs: number;
}
