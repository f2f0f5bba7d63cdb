import { Memo } from '../../../../../kernel/concurrency/memo.js';

/** @param body one character for each byte. */
export function bytesOf(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1');
  const decoded = body.replace(/=(?:[ \t]{0,20}\n|([\dA-Fa-f]{2}))/g, (_, byte?: string) =>
    byte === undefined ? '' : String.fromCharCode(parseInt(byte, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

/** Many programs name no charset, or US-ASCII, and send UTF-8. */
export function textOf(bytes: Buffer, charset: string | null): string {
  const isNamed = charset !== null && !/^(us-)?ascii$|^utf-?8$/.test(charset);
  const named = isNamed ? decodedAs(charset, bytes) : null;
  return named ?? decodedAs('utf-8', bytes) ?? bytes.toString('latin1');
}

/** By charset; null: it is not known. One is made for each, and an unknown name is not tried again. */
const DECODERS = new Memo<InstanceType<typeof TextDecoder> | null>(100);

function decoderOf(charset: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return null;
  }
}

/** @returns null: the charset is not known, or the bytes are none of it. */
function decodedAs(charset: string, bytes: Buffer): string | null {
  const decoder = DECODERS.get(charset, () => decoderOf(charset));
  try {
    return decoder?.decode(bytes) ?? null;
  } catch {
    return null;
  }
}

/** Further words of a field stay as they are. */
const MAX_WORDS = 100;

/** Words of RFC 2047 in a charset that is known. */
export function decodedWords(value: string): string {
  let count = 0;
  return value.replace(
    /=\?([\w-]{1,40})(?:\*[\w-]{1,20})?\?([bq])\?([^?\s]{0,500})\?=(?:\s{1,20}(?==\?))?/gi,
    (word: string, charset: string, encoding: string, text: string) => {
      if (++count > MAX_WORDS) return word;
      const isBase64 = encoding.toLowerCase() === 'b';
      const bytes = isBase64
        ? bytesOf(text, 'base64')
        : bytesOf(text.replaceAll('_', ' '), 'quoted-printable');
      return decodedAs(charset.toLowerCase(), bytes) ?? word;
    },
  );
}
