import { MalformedList } from '../bulk.errors.js';

/** Decodes bytes, strictly. @throws MalformedList */
export async function* utf8Text(body: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Buffer) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new MalformedList('The list is not in UTF-8; save it as UTF-8 and send it again.');
    }
  };
  for await (const bytes of body) yield decode(bytes);
  yield decode();
}
