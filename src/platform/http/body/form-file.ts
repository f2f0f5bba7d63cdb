import busboy from 'busboy';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError, InvalidRequest } from '../../../kernel/errors.js';
import { MalformedHttp } from '../problems/problems.js';

export const FORM_TYPE = 'multipart/form-data';

interface FormFile {
  name: string;
  /** Of the part, in lower case, without parameters. */
  type: string;
  /** To be read to the end: what follows the file is checked then. */
  bytes: AsyncIterable<Buffer>;
  /** If the file is not read. */
  close: () => void;
}

const LIMITS = { files: 1, fields: 1, parts: 2, fieldNameSize: 100, fieldSize: 100, headerPairs: 20 };
const ONE_FILE = 'Send a form with one file and nothing else; parameters belong to the query.';

/** Whether a content type is `multipart/form-data`. */
export function isMultipart(contentType = ''): boolean {
  return /^\s*multipart\/form-data\s*(;|$)/i.test(contentType);
}

/**
 * Reads a form (RFC 7578) up to the content of its file, which is then read as a stream.
 *
 * @throws InvalidRequest if there is no file, another file or a field; MalformedHttp, and errors of the source.
 */
export async function openFormFile(contentType: string, source: AsyncIterable<Buffer>): Promise<FormFile> {
  const parser = parserOf(contentType);
  const refuse = () => parser.destroy(notOneFile());
  parser.on('filesLimit', refuse).on('fieldsLimit', refuse).on('partsLimit', refuse).on('field', refuse);
  const end = pipeline(source, parser).catch((error: unknown) => {
    throw error instanceof DomainError ? error : new MalformedHttp(CANNOT_BE_READ);
  });
  end.catch(() => undefined);
  return new Promise((resolve, reject) => {
    parser.once('file', (_, content: Readable, { filename = '', mimeType }) => {
      // Reported by `end`.
      content.on('error', () => undefined);
      const close = () => void parser.destroy();
      resolve({ name: filename, type: mimeType.toLowerCase(), bytes: bytesOf(content, end, close), close });
    });
    end.then(() => reject(notOneFile()), reject);
  });
}

async function* bytesOf(
  content: Readable,
  end: Promise<void>,
  close: () => void,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    const chunks = content.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    for (;;) {
      const next = await chunks.next().catch(() => null);
      if (next === null || next.done === true) break;
      yield next.value;
    }
    await end;
  } finally {
    close();
  }
}

function parserOf(contentType: string): busboy.Busboy {
  try {
    return busboy({ headers: { 'content-type': contentType }, limits: LIMITS, defParamCharset: 'utf8' });
  } catch {
    throw new MalformedHttp('The content type of a form names its boundary: multipart/form-data; boundary=…');
  }
}

const CANNOT_BE_READ = 'The form is incomplete, or a part of it has no valid header.';
const notOneFile = () => new InvalidRequest([{ pointer: '', code: 'invalid', message: ONE_FILE }]);
