export const CHUNKS_QUEUE = 'bulk-chunks';

/** Queue jobs for waiting chunks. A job verifies any waiting chunks, so a lost or repeated job is harmless. */
export abstract class BulkQueue {
  /** Enqueues a job for each of them, as long as that lets more workers work. @throws when the queue is out of reach. */
  abstract enqueueChunks(chunks: readonly { list: string; no: number }[]): Promise<void>;
}
