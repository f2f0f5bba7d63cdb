import workerUrl from './workbook.worker.ts?worker&url';

/** A sheet of a workbook as CSV. */
export interface Sheet {
  name: string;
  content: Blob;
  /** Cells with an @. */
  addresses: number;
}

interface TrustedTypes {
  createPolicy: (name: string, rules: object) => { createScriptURL: (url: string) => string };
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
/** Named in the content security policy; whatever it is asked for, it makes the URL of the worker. */
const policy = trustedTypes?.createPolicy('rcpt-workbook', { createScriptURL: () => workerUrl });

/** @throws Error when it cannot be read. */
export function readSheets(file: File): Promise<Sheet[]> {
  const worker = new Worker(policy?.createScriptURL('') ?? workerUrl, { type: 'module' });
  return new Promise<Sheet[]>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<{ sheets: Sheet[] } | { error: string }>) =>
      'sheets' in data ? resolve(data.sheets) : reject(new Error(data.error));
    worker.onerror = () => reject(new Error('The reader of workbooks failed'));
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}
