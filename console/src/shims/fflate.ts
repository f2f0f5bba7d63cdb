import { unzipSync, type UnzipOptions } from '../../../node_modules/fflate/esm/browser.js';

export * from '../../../node_modules/fflate/esm/browser.js';

/**
 * `unzip` of fflate for the reader of workbooks, without workers: they are made of `blob:` URLs, which the
 * content security policy forbids.
 */
export function unzip(
  archive: Uint8Array,
  options: UnzipOptions | Done,
  done: Done = options as Done,
): () => void {
  try {
    done(null, unzipSync(archive, typeof options === 'function' ? {} : options));
  } catch (error) {
    done(error as Error, {});
  }
  return () => undefined;
}

type Done = (error: Error | null, files: Record<string, Uint8Array>) => void;
