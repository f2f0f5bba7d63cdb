import { describe, expect, it } from '@jest/globals';
import { messagesOfMbox, singleMessage } from './messages.js';

const SEPARATOR = 'From MAILER-DAEMON Mon Nov 16 10:20:30 2026\n';

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function all(messages: AsyncIterable<Buffer | null>): Promise<(string | null)[]> {
  const found = [];
  for await (const message of messages) found.push(message?.toString() ?? null);
  return found;
}

describe('the messages of an mbox', () => {
  it.each([1, 3, 64, 65_536])('are those between its separators, in chunks of %i bytes', async (size) => {
    const messages = [
      'Subject: 1\n\nFrom here the text begins\n>From 10:20\n\n',
      'Subject: 2\r\n\r\nsaid From: at 10:20:30\r\n\r\n',
      'Subject: 3\n\nno line break',
    ];
    const mbox = messages.map((message) => SEPARATOR + message).join('');
    expect(await all(messagesOfMbox(inChunks(mbox, size)))).toEqual(messages);
  });

  it('are separated by CRLF too', async () => {
    const mbox = `${SEPARATOR.trim()}\r\nA: 1\r\n\r\n${SEPARATOR.trim()}\r\nA: 2\r\n`;
    expect(await all(messagesOfMbox(inChunks(mbox, 5)))).toEqual(['A: 1\r\n\r\n', 'A: 2\r\n']);
  });

  it('are null if they are too large, and the next one is read', async () => {
    const large = 'x'.repeat(5_000_000);
    const mbox = `${SEPARATOR}A: 1\n\n${large}\n${SEPARATOR}A: 2\n`;
    expect(await all(messagesOfMbox(inChunks(mbox, 65_536)))).toEqual([null, 'A: 2\n']);
    expect(await all(singleMessage(inChunks(`A: 1\n\n${large}`, 65_536)))).toEqual([null]);
  });
});
