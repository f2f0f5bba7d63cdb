import { runWorker } from '../run-worker';

/** A sheet of a workbook as CSV. */
export interface Sheet {
  name: string;
  content: Blob;
  /** Cells with an @. */
  addresses: number;
}

/** @throws Error when it cannot be read. */
export function readSheets(file: File): Promise<Sheet[]> {
  return runWorker<Sheet[]>('workbook', file);
}
