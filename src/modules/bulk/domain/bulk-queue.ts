export const CHUNKS_QUEUE = 'bulk-chunks';

/** Jobs for chunks that wait. A job verifies whatever waits, so that a lost or doubled one does no harm. */
export abstract class BulkQueue {
  /** Enqueues a job for each of them, as long as that lets more workers work. @throws when the queue is out of reach. */
  abstract enqueueChunks(chunks: readonly { list: string; no: number }[]): Promise<void>;
}
