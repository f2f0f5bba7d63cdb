import { MalformedList } from '../../kernel/list-files/list-file.errors.js';

/** What reads the text may read its last entry again with each piece, so that small ones are put together. */
const MIN_PIECE_LENGTH = 4_096;

/** Decodes strictly, in pieces. @param encoding a label of the Encoding Standard. @throws MalformedList */
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
  let text = '';
  for await (const bytes of body) {
    text += decode(bytes);
    if (text.length < MIN_PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  yield text + decode();
}
