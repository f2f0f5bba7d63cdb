import { joinResults } from './join';
import type { KeptFile } from './kept-files';

/** Joins beside the page, which stays responsive. */
addEventListener('message', ({ data }: MessageEvent<{ file: KeptFile; results: Blob[] }>) => {
  joinResults(data.file, data.results).then(
    (result) => postMessage({ result }),
    (error: Error) => postMessage({ error: error.message }),
  );
});
