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
    ['another protocol after a blank line', '\r\nSSH-2.0-OpenSSH_9.6\r\n'],
    ['a code stuck to its text after a reply', '220 mx.test\r\n250ok\r\n'],
    ['blank lines without end', '\r\n'.repeat(17)],
    ['text without end after a reply', `220 mx.test\r\n${'more\r\n'.repeat(17)}`],
    ['an endless reply of blank lines', '250-a\r\n\r\n'.repeat(17)],
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

  it.each([
    ['before the greeting', '\r\n220 mx.test\r\n', ['mx.test']],
    ['after it', '220 mx.test\r\n\r\n', ['mx.test']],
    ['inside a reply', '220-mx.test\r\n\r\n \t\n220 ESMTP\r\n', ['mx.test', 'ESMTP']],
    ['with text', '220-mx.test\r\nauthorized use only\r\n220 ESMTP\r\n', ['mx.test', 'ESMTP']],
  ])('skips lines without a code %s', (_where, text, lines) => {
    const reader = read(text);
    expect(reader.dequeue()).toMatchObject({ code: 220, lines });
    expect(reader.hasUnread).toBe(false);
  });

  it('skips them before each reply, and none where several replies are due', () => {
    const reader = read('220 mx.test\r\n');
    for (let n = 0; n < 40; n++) reader.push(Buffer.from('\r\n\r\n250 ok\r\n'));
    expect(() => reader.push(Buffer.from('\r\n'), false)).toThrow(UnreadableReply);
  });

  it.each([
    ['LF CR', '220-mx.test\n\r220 ESMTP\n\r', ['mx.test', 'ESMTP']],
    ['CR', '220-mx.test\r220 ESMTP\r', ['mx.test', 'ESMTP']],
    ['CR CR LF', '220-mx.test\r\r\n220 ESMTP\r\r\n', ['mx.test', 'ESMTP']],
    ['NUL', '220-mx.test\x00220 ESMTP\0', ['mx.test', 'ESMTP']],
    ['CR NUL', '220-mx.test\r\x00220 ESMTP\r\0', ['mx.test', 'ESMTP']],
    ['CR LF NUL', '220-mx.test\r\n\x00220 ESMTP\r\n\0', ['mx.test', 'ESMTP']],
    ['NUL CR LF', '220-mx.test\x00\r\n220 ESMTP\0\r\n', ['mx.test', 'ESMTP']],
    [
      'each another end',
      '220-mx.test\r220-one\n\r220-two\r\n220 three\n',
      ['mx.test', 'one', 'two', 'three'],
    ],
  ])('reads lines that end with %s, in one piece and octet by octet', (_end, text, lines) => {
    for (const reader of [read(text), read(...[...Buffer.from(text)].map((octet) => Buffer.from([octet])))]) {
      expect(reader.dequeue()).toMatchObject({ code: 220, lines });
      expect(reader.hasUnread).toBe(false);
    }
  });

  it('treats the LF that arrives after its CR as part of that line end', () => {
    const reader = read('220 mx.test\r');
    expect(reader.dequeue()).toMatchObject({ code: 220, text: 'mx.test' });
    reader.push(Buffer.from('\n'), false);
    expect(reader.hasUnread).toBe(false);
    expect(reader.dequeue()).toBeNull();
  });

  it('keeps a CR between words', () => {
    expect(read('550 call\r555123 or\rwrite\r\n').dequeue()).toMatchObject({
      text: 'call\r555123 or\rwrite',
    });
  });

  it.each([
    ['550-5.1.1 The mailbox\r\n551 is unknown\r\n', 551],
    ['250-mx.test\r\n252-SIZE 1000\r\n250 HELP\r\n', 250],
    ['450-4.2.1 busy\r\n451 4.2.1 later\r\n', 451],
    ['220-mx.test\r\n554 5.7.1 listed\r\n', 554],
  ])('gives a reply with several codes of one class that of its last line: %p', (text, code) => {
    expect(read(text).dequeue()?.code).toBe(code);
  });

  it.each([
    ['250\tok\r\n', 'ok'],
    ['550\t5.1.1\tUser unknown\r\n', 'User unknown'],
  ])('reads a tab after the code: %p', (text, words) => {
    expect(read(text).dequeue()).toMatchObject({ text: words });
  });

  it.each(['\r', '\0', '\r\0'])('refuses %p without end', (padding) => {
    const reader = read('220 mx.test\r\n');
    expect(() => {
      for (let n = 0; n < 100; n++) reader.push(Buffer.from(padding.repeat(100)));
    }).toThrow(UnreadableReply);
  });

  it('reports octets that belong to no returned reply', () => {
    expect(read('25').hasUnread).toBe(true);
    expect(read('250-one\r\n').hasUnread).toBe(true);
  });
});
