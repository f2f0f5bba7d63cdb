import { MalformedList } from '../../kernel/list-files/list-file.errors.js';

/** Decodes strictly. @param encoding a label of the Encoding Standard. @throws MalformedList */
export async function* decoded(
  body: AsyncIterable<Buffer>,
  encoding = 'utf-8',
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (bytes?: Buffer) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new MalformedList(
        `The list is not ${encoding.toUpperCase()}. Convert it to UTF-8 and send it again.`,
      );
    }
  };
  for await (const bytes of body) yield decode(bytes);
  yield decode();
}
