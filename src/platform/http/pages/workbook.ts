import { workbookFiles, type Cell } from '../../../kernel/text/workbook-files.js';
import { zip } from './zip.js';

/** An Excel workbook that is written while its rows are read. */
export const workbook = (
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Buffer, void, undefined> => zip(workbookFiles(header, batches));
