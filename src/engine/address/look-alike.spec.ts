import { describe, expect, it } from '@jest/globals';
import { anAddress, aReply, asked, listingOf } from '../../../test/support/verification/evidence.js';
import { judge } from '../judge.js';
import { isLookAlike, confusableProvider } from './look-alike.js';

const flagged = (text: string) => isLookAlike(anAddress(text));

describe('a confusable address', () => {
  it.each([
    ['a Cyrillic а among Latin letters', 'j\u0430ne@corp.com'],
    ['a Greek omicron among Latin letters', 'd\u03BFe@corp.com'],
    ['an Armenian o among Latin letters', 'd\u0585e@corp.com'],
    ['Greek among Cyrillic', '\u0438\u03B2\u0430\u043D@corp.com'],
    ['the mix in one of its words only', 'jane.d\u043Ee@corp.com'],
    ['the mix in quotes', '"jane d\u043Ee"@corp.com'],
    ['the mix in its subaddress', 'jane+n\u0435ws@corp.com'],
    ['full-width letters before the @', '\uFF4Aane@corp.com'],
    ['mathematical letters', '\u{1D423}ane@corp.com'],
    ['a ligature', 'o\uFB03ce@corp.com'],
    ['a Roman numeral', 'v\u2170ctor@corp.com'],
    ['a mixed label in the domain', 'jane@p\u0430ypal.com'],
    ['the same as an A-label', 'jane@xn--pypal-4ve.com'],
    ['a mixed label further to the right', 'jane@mail.p\u0430ypal.com'],
    ['a provider’s name in Cyrillic alone', 'jane@\u0430\u043E\u04CF.com'],
    ['a label that is Cyrillic and looks Latin', 'jane@xn--80ak6aa92e.com'],
    ['a provider’s name with a dotless i', 'jane@gma\u0131l.com'],
    ['a provider’s name with another g', 'jane@\u0261mail.com'],
    ['a provider’s name with an accent', 'jane@gma\u00EDl.com'],
    ['a provider’s name with a stroke', 'jane@gmai\u0142.com'],
  ])('has %s', (_what, text) => {
    expect(flagged(text)).toBe(true);
  });
});

describe('an address that is not confusable', () => {
  it.each([
    'jane@corp.com',
    'jane@gmail.com',
    'rn@rnicrosoft.com',
    'jos\u00E9@corp.com',
    'j\u00F8rgen.\u0142ukasz@corp.com',
    'иван.петров@почта.рф',
    'ivan.петров@corp.com',
    'ivan-петров+news@corp.com',
    'νίκος@corp.com',
    '用户@例子.广告',
    'mike用户@corp.com',
    'tanaka田中さん@corp.com',
    'やまだtaro@corp.com',
    '김kim@corp.com',
    'user\u0645\u062B\u0627\u0644@corp.com',
    'राम@भारत.भारत',
    '5\u00B5m@corp.com',
    'm\u00AA.jose@corp.com',
    'квартира\u21165@corp.com',
    'jane@münchen.de',
    'jane@сахара.ru',
    'jane@сахарок.com',
    'jane@почта.com',
    'jane@faß.de',
    '👩\u200d💻@corp.com',
  ])('%j', (text) => {
    expect(flagged(text)).toBe(false);
  });
});

describe('the confusable provider of a domain', () => {
  it.each([
    ['xn--gmal-nza.com', 'gmail.com'],
    ['xn--gmil-63d.com', 'gmail.com'],
    ['xn--80ak6aa92e.com', null],
    ['gmail.com', null],
    ['gmai1.com', null],
    ['xn--mnchen-3ya.de', null],
  ])('%s: %s', (domain, provider) => {
    expect(confusableProvider(domain)).toBe(provider);
  });
});

describe('the verdict on a confusable address', () => {
  const NOT_RISKY = { roleIsRisky: false };
  const accepted = { probe: aReply('accepted'), catchAll: 'no' } as const;

  it('keeps its status, and the decision is review', () => {
    expect(judge(asked('d\u043Ee@corp.com', accepted), NOT_RISKY)).toMatchObject({
      status: 'deliverable',
      score: 95,
      didYouMean: null,
      policy: { decision: 'review', rule: 'address:look_alike' },
    });
  });

  it('does not improve the decision', () => {
    const judgement = judge(asked('d\u043Ee@corp.com', { probe: aReply('mailbox_not_found') }), NOT_RISKY);
    expect(judgement.policy).toEqual({ decision: 'reject', rule: 'address:look_alike' });
  });

  it('names the provider only when the domain does not exist', () => {
    const email = 'jane@gm\u0430il.com';
    expect(judge(asked(email, accepted), NOT_RISKY).didYouMean).toBeNull();
    expect(judge(asked(email, { route: { kind: 'no_domain' } }), NOT_RISKY).didYouMean).toBe(
      'jane@gmail.com',
    );
  });

  it('is not changed if a rule rejects the address', () => {
    const address = anAddress('d\u043Ee@corp.test');
    const listing = listingOf(address);
    const evidence = { kind: 'invalid_domain', address, listing, rule: 'special_use' } as const;
    expect(judge(evidence, NOT_RISKY).policy).toEqual({ decision: 'reject', rule: 'domain:special_use' });
  });
});
