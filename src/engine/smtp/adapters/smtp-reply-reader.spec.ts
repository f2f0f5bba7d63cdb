import { describe, expect, it } from '@jest/globals';
import { SmtpReplyReader, UnreadableReply } from './smtp-reply-reader.js';

function read(...chunks: (string | Buffer)[]): SmtpReplyReader {
  const reader = new SmtpReplyReader();
  for (const chunk of chunks) reader.push(Buffer.from(chunk as string));
  return reader;
}

describe('SmtpReplyReader', () => {
  it('returns all lines of a reply together, and no later reply with them', () => {
    const reader = read('250-mx.test\r\n250-SIZE 1000\r\n250 HELP\r\n421 bye\r\n');
    expect(reader.dequeue()).toMatchObject({ code: 250, lines: ['mx.test', 'SIZE 1000', 'HELP'] });
    expect(reader.dequeue()).toMatchObject({ code: 421, text: 'bye' });
    expect(reader.hasUnread).toBe(false);
  });

  it('does not treat an early greeting line as a reply', () => {
    const reader = read('220-mx.test ESMTP\r\n');
    expect(reader.dequeue()).toBeNull();
    reader.push(Buffer.from('220 mx.test ESMTP\r\n'));
    expect(reader.dequeue()).toMatchObject({ code: 220, lines: ['mx.test ESMTP', 'mx.test ESMTP'] });
  });

  it('accepts octets one by one, also within a character', () => {
    const octets = [...Buffer.from('550 5.1.1 Öde\r\n')].map((octet) => Buffer.from([octet]));
    expect(read(...octets).dequeue()).toMatchObject({ code: 550, enhancedCode: '5.1.1', text: 'Öde' });
  });

  it('accepts a bare LF as a line end, and a code without text as a reply', () => {
    expect(read('250\n').dequeue()).toMatchObject({ code: 250, text: '' });
  });

  it('decodes Latin-1 where the octets are no UTF-8', () => {
    expect(read(Buffer.from('550 pas trouv\xe9\r\n', 'latin1')).dequeue()?.text).toBe('pas trouvé');
  });

  it.each([
    ['no code', 'hello\r\n'],
    ['another code inside a reply', '250-one\r\n550 two\r\n'],
    ['a code out of range', '650 what\r\n'],
    ['a word stuck to the code', '250ok\r\n'],
    ['an HTTP answer', 'HTTP/1.1 400 Bad Request\r\n'],
    ['an endless line', 'x'.repeat(5_000)],
    ['an endless reply', '220-more\r\n'.repeat(200)],
    ['a flood of replies', '250 ok\r\n'.repeat(200)],
  ])('refuses %s', (_what, text) => {
    expect(() => read(text)).toThrow(UnreadableReply);
  });

  it('reports octets that belong to no returned reply', () => {
    expect(read('25').hasUnread).toBe(true);
    expect(read('250-one\r\n').hasUnread).toBe(true);
  });
});
