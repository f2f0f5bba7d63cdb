import { describe, expect, it } from '@jest/globals';
import { repairAddress } from './address-repair.js';
import { parseEmailAddress } from './email-address.js';

describe('an address whose domain has a typing error that makes it invalid', () => {
  it.each([
    ['jane@gmail..com', 'jane@gmail.com'],
    ['jane@gmail,com', 'jane@gmail.com'],
    ['jane@gmail.com.', 'jane@gmail.com'],
    ['jane@.gmail.com', 'jane@gmail.com'],
    ['jane@gmail.,com', 'jane@gmail.com'],
    ['jane@gmail com', 'jane@gmail.com'],
    ['jane@ gmail.com', 'jane@gmail.com'],
    ['jane @gmail.com', 'jane@gmail.com'],
    ['jane@gmail. com', 'jane@gmail.com'],
    ['jane@gma il.com', 'jane@gmail.com'],
    ['jane@gmail;com', 'jane@gmail.com'],
    ['jane@gmail:com', 'jane@gmail.com'],
    ['jane@gmail/com', 'jane@gmail.com'],
    ['jane@gmail_com', 'jane@gmail.com'],
    ['jane@gmail，com', 'jane@gmail.com'],
    ['jane@gmail-.com', 'jane@gmail.com'],
    ['jane@gmial..com', 'jane@gmail.com'],
    ['jane@gmail,con', 'jane@gmail.com'],
    ['jane@hotmail..co.uk', 'jane@hotmail.co.uk'],
    ['jane@hotmail.co,uk', 'jane@hotmail.co.uk'],
    ['Jane.Doe+news@Web,de', 'Jane.Doe+news@web.de'],
    ['jane@@gmail.com', 'jane@gmail.com'],
    ['@jane@gmail.com', 'jane@gmail.com'],
    ['jane@gmail.com@', 'jane@gmail.com'],
    ['jane@gmail.com@gmail.com', 'jane@gmail.com'],
    ['jane@gmail@com', 'jane@gmail.com'],
    ['  jane@@yahoo,fr ', 'jane@yahoo.fr'],
    ['jane.gmail.com', 'jane@gmail.com'],
    ['jane.doe#outlook.com', 'jane.doe@outlook.com'],
    ['jane (at) gmail.com', 'jane@gmail.com'],
    ['jane at gmail.com', 'jane@gmail.com'],
  ])('%j is probably %s', (written, meant) => {
    expect(parseEmailAddress(written).ok).toBe(false);
    expect(repairAddress(written)).toBe(meant);
  });

  it.each([
    ['jane@acme..com', 'jane@acme.com'],
    ['jane@acme,co,uk', 'jane@acme.co.uk'],
    ['jane@acme.com.', 'jane@acme.com'],
    ['jane@@acme.de', 'jane@acme.de'],
    ['jane@münchen,de', 'jane@xn--mnchen-3ya.de'],
  ])('may be of any domain if only dots or `@` are wrong: %s, %s', (written, meant) => {
    expect(repairAddress(written)).toBe(meant);
  });
});

describe('no address is suggested', () => {
  it.each([
    'jane@gmail.com',
    'jane@acme.com',
    'jane',
    'jane@',
    '@gmail.com',
    '@@',
    '',
    'www.gmail.com',
    'gmail.com',
    'jane@acme com',
    'jane@acme.com and bob',
    'jane@acme.com,bob',
    'jane@gmail.com, bob@gmail.com',
    'jane@gmail.com@yahoo.com',
    'jane@[192.0.2.1]',
    'jane@192,0,2,1',
    'jane@xn--0,com',
    'jane doe@gmail..com',
    '"jane@gmail..com',
    'jane\u0000@gmail..com',
    `${'j'.repeat(65)}@gmail..com`,
    `jane@${'.'.repeat(400)}gmail.com`,
    'jane.acme.com',
  ])('for %j', (written) => {
    expect(repairAddress(written)).toBeNull();
  });
});
