/** What a source may send, and how long it may take. */
export class SourceLimits {
  /** Of all its responses to one reading. */
  readonly bytes: number = 512 * 1024 * 1024;
  /** For a reading. Shorter than the time after which an upload is given up. */
  readonly readingMs: number = 10 * 60_000;
  /** For one request to listmonk, with its response. */
  readonly requestMs: number = 30_000;
}
