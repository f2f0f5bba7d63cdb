import keptFileUrl from './kept/kept-file.worker.ts?worker&url';
import workbookUrl from './new-list/workbook.worker.ts?worker&url';

interface TrustedTypes {
  createPolicy: (name: string, rules: object) => { createScriptURL: (name: string) => string };
}

type WorkerName = 'keptFile' | 'workbook';

const urlOf = (name: string) => (name === 'keptFile' ? keptFileUrl : workbookUrl);
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
/** Named in the content security policy; whatever it is asked for, it makes the URL of a worker. */
const policy = trustedTypes?.createPolicy('rcpt-workers', { createScriptURL: urlOf });

/** @throws Error when the worker fails, AbortError. */
export function runWorker<Result>(name: WorkerName, message: unknown, signal?: AbortSignal): Promise<Result> {
  const worker = new Worker(policy?.createScriptURL(name) ?? urlOf(name), { type: 'module' });
  return new Promise<Result>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<{ result: Result } | { error: string }>) =>
      'result' in data ? resolve(data.result) : reject(new Error(data.error));
    worker.onerror = () => reject(new Error('The worker failed'));
    signal?.addEventListener('abort', () => reject(new DOMException('Stopped', 'AbortError')));
    worker.postMessage(message);
  }).finally(() => worker.terminate());
}
