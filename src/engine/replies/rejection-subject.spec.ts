import { describe, expect, it } from '@jest/globals';
import { subjectOf } from './rejection-subject.js';

const of = (text: string, enhancedCode = '5.7.1') => subjectOf({ text, enhancedCode });

describe('a refusal', () => {
  it.each([
    'Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
    'Your IP is blocked',
    'Recipient address rejected: your host has a poor reputation',
    'Client host rejected: cannot find your reverse hostname, [192.0.2.1]',
    'Access denied, banned sending IP [192.0.2.1]',
    '[TSS04] Messages temporarily deferred',
    '<jane@corp.test>: Helo command rejected: need fully-qualified HELO name',
  ])('is about the sender: %s', (text) => expect(of(text)).toBe('sender'));

  it.each([
    ['4.7.28', 'unusual traffic'],
    ['5.7.26', 'This mail has been refused'],
    ['5.7.606', 'Access denied'],
  ])('is about the sender by its code %s', (code, text) => expect(of(text, code)).toBe('sender'));

  it.each([
    'Client host [192.0.2.1] blocked using Customer Block List',
    'Sender rejected by the organization',
    'Your IP is blocked by recipient domain',
    "192.0.2.1 is refused by this tenant's policy",
    'Your address is on our company block list',
  ])('is about a customer, although it contains our address: %s', (text) =>
    expect(of(text)).toBe('customer'),
  );

  it.each([
    'Sender blocked by recipient',
    'Your IP was rejected by the user',
    "This user doesn't accept mail from you",
    "You are on the recipient's block list",
    'Message refused by mailbox owner',
  ])('is about one recipient: %s', (text) => expect(of(text)).toBe('recipient'));

  it.each(['Remote server returned: rejected by policy', 'The remote host said: message refused'])(
    'is not about the sender when a server behind this one has sent it: %s',
    (text) => expect(of(text)).toBeNull(),
  );

  it.each(['blocked', 'Access denied', '<reputation@corp.test>: sender blocked', ''])(
    'does not state its subject: %s',
    (text) => expect(of(text)).toBeNull(),
  );
});
