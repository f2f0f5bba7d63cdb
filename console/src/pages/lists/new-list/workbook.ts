import { runWorker } from '../run-worker';
import { WrongFile } from './file-kind';
import { SheetTooLarge } from './sheet-size';
import type { ColumnKind } from './workbook-cells';

/** A sheet of a workbook as CSV. */
export interface Sheet {
  name: string;
  content: Blob;
  /** Cells with an @. */
  addresses: number;
  /** Of its columns. */
  kinds: readonly ColumnKind[];
}

/** @throws WrongFile, or Error when it cannot be read. */
export async function readSheets(file: File): Promise<Sheet[]> {
  try {
    return await runWorker<Sheet[]>('workbook', file);
  } catch (error) {
    // Of an error in a worker only the message arrives.
    throw (error as Error).message === new SheetTooLarge().message ? new WrongFile('sheetTooLarge') : error;
  }
}
