import type { ListOutcome } from './list-run.js';

export class ClosedOutput extends Error {
  constructor() {
    super('standard output was closed before the list ended');
  }
}

/** Writes rows to standard output, at the pace of the program that reads them. Such a run cannot be resumed. */
export class StandardOutput {
  readonly progress: ListOutcome = { rows: 0, byStatus: {} };

  constructor() {
    // The write that failed reports it; without a listener the process would end before.
    process.stdout.on('error', () => undefined);
  }

  /** @throws ClosedOutput if no program reads any more. */
  async append(chunk: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(chunk, (error) => (error ? reject(asSentence(error)) : resolve()));
    });
  }

  complete = () => Promise.resolve();
  close = () => Promise.resolve();
}

function asSentence(error: NodeJS.ErrnoException): Error {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED' ? new ClosedOutput() : error;
}
