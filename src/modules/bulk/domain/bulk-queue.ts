export const CHUNKS_QUEUE = 'bulk-chunks';

/** Queue jobs for waiting chunks. A job verifies any waiting chunks, so a lost or repeated job is harmless. */
export abstract class BulkQueue {
  /** Enqueues a job for each of them, up to the number that can run at once. @throws when the queue is not available. */
  abstract enqueueChunks(chunks: readonly { list: string; no: number }[]): Promise<void>;
}
