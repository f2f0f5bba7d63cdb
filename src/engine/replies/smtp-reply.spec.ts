import { describe, expect, it } from '@jest/globals';
import { excerpt, parseEnhancedCode, smtpReply } from './smtp-reply.js';

describe('an enhanced code', () => {
  it.each([
    [550, '5.1.1 No such user', '5.1.1'],
    [550, '5.1.10 RESOLVER.ADR.RecipientNotFound', '5.1.10'],
    [550, '#5.1.0 Address rejected.', '5.1.0'],
    [451, '4.7.650 The mail server has been temporarily rate limited', '4.7.650'],
    [550, '5.1.1', '5.1.1'],
  ])('is parsed right after the reply code (%d %s)', (code, line, expected) => {
    expect(parseEnhancedCode(code, line)).toBe(expected);
  });

  it.each([
    [550, 'sorry, no mailbox here by that name. (#5.1.1 - chkuser)'],
    [550, '550 5.1.1 <ghost@example.com> User unknown'],
    [550, '4.2.2 mailbox full'],
    [250, '5.1.1 what a pity'],
    [550, '5.1.1.7 is an address'],
    [550, '5.1 is a version'],
    [354, '3.0.0 go on'],
  ])('is not parsed elsewhere, nor of another class (%d %s)', (code, line) => {
    expect(parseEnhancedCode(code, line)).toBeNull();
  });

  it('is found on any line of a reply, and removed from the text', () => {
    const reply = smtpReply(550, ['Mailbox unknown.  Either there is none', '5.1.1 User unknown']);
    expect(reply.enhancedCode).toBe('5.1.1');
    expect(reply.text).toBe('Mailbox unknown.  Either there is none User unknown');
  });
});

describe('an excerpt', () => {
  it('is at most 200 characters long and never splits one', () => {
    expect([...excerpt('😀'.repeat(300))]).toHaveLength(200);
    expect(excerpt('😀'.repeat(300))).toBe('😀'.repeat(200));
  });

  it('contains no control character and no bidirectional formatting', () => {
    expect(excerpt('a\u0000b\u001b[31mc\u0085d\te\u202Ef\u2066g\u200Fh\r\n')).toBe('a b [31mc d efgh');
  });
});
