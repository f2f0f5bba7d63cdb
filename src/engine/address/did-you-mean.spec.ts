import { describe, expect, it } from '@jest/globals';
import { parse } from 'tldts';
import { MISSPELLED_ENDINGS, MISTAKEN_ENDINGS, suggestDomain, TARGETS } from './did-you-mean.js';
import { freeProvider } from '../providers/free-providers.js';

describe('suggestDomain', () => {
  it.each([
    ['gmial.com', 'gmail.com'],
    ['gamil.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gnail.com', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['yaho.com', 'yahoo.com'],
    ['outlok.com', 'outlook.com'],
    ['iclod.com', 'icloud.com'],
    ['hotmil.fr', 'hotmail.fr'],
    ['yahoo.co.ku', 'yahoo.co.uk'],
    ['yahoo.com.uk', 'yahoo.co.uk'],
    ['comcast.ner', 'comcast.net'],
    ['protonmial.com', 'protonmail.com'],
    ['protnmial.com', 'protonmail.com'],
    ['gmil.com', 'gmail.com'],
    ['gmal.com', 'gmail.com'],
    ['gmaul.com', 'gmail.com'],
    ['ggmail.com', 'gmail.com'],
    ['gmailk.com', 'gmail.com'],
    ['g-mail.com', 'gmail.com'],
    ['hotnail.com', 'hotmail.com'],
    ['hotmai.com', 'hotmail.com'],
    ['hotmal.com', 'hotmail.com'],
    ['hormail.com', 'hotmail.com'],
    ['htomail.com', 'hotmail.com'],
    ['otmail.com', 'hotmail.com'],
    ['outllok.com', 'outlook.com'],
    ['otulook.com', 'outlook.com'],
    ['outloook.com', 'outlook.com'],
    ['yahooo.com', 'yahoo.com'],
    ['yhaoo.com', 'yahoo.com'],
    ['ahoo.com', 'yahoo.com'],
    ['icoud.com', 'icloud.com'],
    ['iclould.com', 'icloud.com'],
    ['comcst.net', 'comcast.net'],
    ['verison.net', 'verizon.net'],
    ['yaho.co.uk', 'yahoo.co.uk'],
  ])('suggests %s for %s', (typed, meant) => {
    expect(suggestDomain(typed)).toBe(meant);
  });

  it.each([
    ['gmail.con', 'gmail.com'],
    ['gamil.cmo', 'gmail.com'],
    ['qq.con', 'qq.com'],
    ['yahoo.con', 'yahoo.com'],
    ['gmail.c', 'gmail.com'],
    ['gmail.vom', 'gmail.com'],
    ['hotmail.ocm', 'hotmail.com'],
    ['aol.comm', 'aol.com'],
    ['me.con', 'me.com'],
    ['att.nte', 'att.net'],
    ['cox.ent', 'cox.net'],
    ['proton.em', 'proton.me'],
    ['libero.ti', 'libero.it'],
    ['wanadoo.rf', 'wanadoo.fr'],
    ['acme.cmo', 'acme.com'],
    ['acme.nte', 'acme.net'],
    ['acme-industries.con', 'acme-industries.com'],
    ['acme.co.ku', 'acme.co.uk'],
    ['charity.ogr', 'charity.org'],
  ])('corrects a top-level domain that does not exist: %s is %s', (typed, meant) => {
    expect(suggestDomain(typed)).toBe(meant);
  });

  it.each([
    ['gmail.co', 'gmail.com'],
    ['gmail.cm', 'gmail.com'],
    ['gmail.om', 'gmail.com'],
    ['gmial.co', 'gmail.com'],
    ['aol.co', 'aol.com'],
    ['gmx.ne', 'gmx.net'],
    ['yahoo.co', 'yahoo.com'],
    ['outlook.cm', 'outlook.com'],
    ['icloud.co', 'icloud.com'],
    ['msn.co', 'msn.com'],
    ['acme.co', null],
    ['acme.cm', null],
    ['acme.om', null],
    ['acme.ne', null],
  ])('changes an existing top-level domain only to reach a well-known provider: %s, %s', (typed, meant) => {
    expect(suggestDomain(typed)).toBe(meant);
  });

  it.each([
    ['gmail', 'gmail.com'],
    ['gmailcom', 'gmail.com'],
    ['yahoocouk', 'yahoo.co.uk'],
    ['acme', null],
    ['acmecom', null],
  ])('adds a missing top-level domain, or its dot: %s, %s', (typed, meant) => {
    expect(suggestDomain(typed)).toBe(meant);
  });

  it.each([
    ['gmail.net', 'gmail.com'],
    ['hotmail.org', 'hotmail.com'],
    ['comcast.com', 'comcast.net'],
    ['orange.com', null],
    ['acme.net', null],
  ])('replaces a generic top-level domain only to reach a well-known provider: %s, %s', (typed, meant) => {
    expect(suggestDomain(typed)).toBe(meant);
  });

  it.each(['gmail.com', 'mail.com', 'email.com', 'ymail.com', 'me.com', 'gmx.de', 'gmx.at', 'yahoo.cz'])(
    'does not change the well-known %s',
    (domain) => {
      expect(suggestDomain(domain)).toBeNull();
    },
  );

  it.each([
    'acme.com',
    'example.com',
    'aon.com',
    'love.com',
    'gmail.de',
    'yahoo.lu',
    'hotmail.pl',
    'x.y.z.com',
    'proto.com',
    'acme.co.uk',
    'acme.com.au',
    'mail.gmail.com',
    'smail.io',
    'lime.com',
    'hotels.com',
    'outlookexperts.com',
  ])('has no suggestion for %s', (domain) => {
    expect(suggestDomain(domain)).toBeNull();
  });

  it.each([
    'fastmail.ca',
    'fastmail.net',
    'rp-online.de',
    'sz-online.de',
    'tz-online.de',
    'hockeymail.com',
    'postmail.com',
    'prontomail.com',
    'y7mail.com',
    'mailw.com',
    'kasmail.com',
    'amail.com',
  ])('has no suggestion for %s, a mail service with a similar name', (domain) => {
    expect(suggestDomain(domain)).toBeNull();
  });

  it('does not change the country', () => {
    expect(suggestDomain('yahoo.cn')).toBeNull();
    expect(suggestDomain('protonmail.ca')).not.toBe('protonmail.ch');
  });

  it('prefers the more popular of two equally close domains', () => {
    expect(suggestDomain('zmail.com')).toBe('gmail.com');
  });

  it('has no suggestion for a domain of the greatest length', () => {
    expect(suggestDomain(`${'a.'.repeat(125)}com`)).toBeNull();
  });
});

describe('the tables', () => {
  it('suggest only known mailbox providers', () => {
    expect(TARGETS.filter((domain) => freeProvider(domain) === null)).toEqual([]);
  });

  it('contain no existing public suffix as a misspelling', () => {
    expect([...MISSPELLED_ENDINGS.keys()].filter(exists)).toEqual([]);
    expect([...MISTAKEN_ENDINGS.keys()].filter((ending) => !exists(ending))).toEqual([]);
  });

  it('contain no provider for which another one would be suggested', () => {
    expect(TARGETS.filter((domain) => suggestDomain(domain) !== null)).toEqual([]);
  });
});

function exists(ending: string): boolean {
  return parse(`a.${ending}`).isIcann === true;
}
