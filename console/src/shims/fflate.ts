import { checkSheets } from '../pages/lists/new-list/sheet-size';
import { unzipSync, type UnzipOptions } from '../../../node_modules/fflate/esm/browser.js';

export * from '../../../node_modules/fflate/esm/browser.js';

/**
 * `unzip` of fflate for the reader of workbooks, without workers: they are made of `blob:` URLs, which the
 * content security policy forbids. The reader makes all cells up to the last one, so the sheets are checked here.
 */
export function unzip(
  archive: Uint8Array,
  options: UnzipOptions | Done,
  done: Done = options as Done,
): () => void {
  try {
    const files = unzipSync(archive, typeof options === 'function' ? {} : options);
    checkSheets(files);
    done(null, files);
  } catch (error) {
    done(error as Error, {});
  }
  return () => undefined;
}

type Done = (error: Error | null, files: Record<string, Uint8Array>) => void;
