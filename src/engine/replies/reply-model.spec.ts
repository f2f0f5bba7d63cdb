import { describe, expect, it } from '@jest/globals';
import { explainReply } from './reply-explanation.js';
import { conceptsOf } from './reply-lexicon.js';
import { conceptsIn } from './reply-concepts.js';
import { probabilitiesOf, MAILBOX_STATES, scoreReply } from './reply-model.js';
import { MAX_TOKENS, tokensOf } from './reply-tokens.js';
import { WEIGHTS } from './reply-weights.js';

const named = (words: string) => conceptsIn(tokensOf(words)).map(({ name }) => name);
const explained = (text: string, recipient = '') =>
  explainReply({ text, stage: 'rcpt', provider: null, recipient });

describe('a word has the same meaning', () => {
  it.each([
    ['Empfänger', 'recipient'],
    ['EMPFAENGER', 'recipient'],
    ['użytkownik', 'mailbox'],
    ['пользователь', 'mailbox'],
    ['recipients', 'recipient'],
    ['recipent', 'recipient'],
    ['mialbox', 'mailbox'],
    ['unkown', 'unknown'],
    ['suspeneded', 'closed'],
  ])('in any spelling: %s', (word, concept) => {
    expect(named(word)).toEqual([concept]);
  });

  it('in a compound, and in text without spaces', () => {
    expect(conceptsOf('mailboxnotfound')).toEqual(['mailbox', 'unknown']);
    expect(named('收件人不存在')).toEqual(['recipient', 'unknown']);
  });

  it.each([
    ['user does not exist', ['mailbox', '!exist']],
    ['Benutzer nicht gefunden', ['mailbox', '!exist']],
    ['Postfach existiert nicht', ['mailbox', '!exist']],
    ["l'adresse n'existe pas", ['address', '!exist']],
  ])('negated before and after: %s', (words, concepts) => {
    expect(named(words).filter((name) => /mailbox|address|!/.test(name))).toEqual(concepts);
  });

  it('but not as part of a name', () => {
    expect(named('<> at mailbox.user-unknown.example https://example.net/no-such-user')).toEqual([
      '#rcpt',
      '#host',
      '#url',
    ]);
  });
});

describe('the weights', () => {
  it('have one number for each state', () => {
    expect(
      [...WEIGHTS].filter(([, row]) => row.length !== MAILBOX_STATES.length || row.some(Number.isNaN)),
    ).toEqual([]);
    expect(WEIGHTS.size).toBeGreaterThan(300);
  });

  it('give probabilities with the sum one', () => {
    const { features } = scoreReply({ code: 550, enhancedCode: '5.1.1', words: 'user unknown' });
    const sum = Object.values(probabilitiesOf(features, WEIGHTS)).reduce((all, value) => all + value, 0);
    expect(sum).toBeCloseTo(1);
  });

  it('give `none` if only the bias has a weight', () => {
    const { mailboxState } = scoreReply(
      { code: 550, enhancedCode: '5.1.1', words: 'user unknown' },
      new Map([['bias', [0, 0, 0, 1]]]),
    );
    expect(mailboxState).toBe('none');
  });
});

describe('a reply that was once misclassified', () => {
  it.each([
    '550 5.1.1 not accepting email for domain',
    '550 5.1.1 not accepting email for ip',
    '550 5.2.1 Mailbox not available / Konto niedostepne',
    '554 mail address invalid.',
    '553 sender',
    '553 sender is invalid',
    '553 sender domain not exist',
    '550 mail domain mentioned in email address is unknown',
    '550 5.2.1 mailbox disabled temporarly for exceeding receiving limits',
    '450 4.7.3 Organization queue quota exceeded',
    '552 Requested action aborted',
    '552 looping message.',
    '554 5.4.6 loop detected',
    '524 5.2.4 Mailing list expansion problem',
    '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required',
  ])('says nothing of the mailbox: %s', (text) => {
    expect(explained(text)?.category).toMatch(/^(policy|temporary|sender_blocked)$/);
  });

  it.each([
    ['540 5.7.1 <jane@corp.test>: recipient address rejected: Inactive', 'mailbox_disabled'],
    ['550 5.5.0 Ce compte est bloque. This account is blocked LPN007_426', 'mailbox_disabled'],
    [
      '550 5.2.1 <jane@corp.test>: Recipient address rejected: Mailbox disabled, not accepting messages',
      'mailbox_disabled',
    ],
    ['554 delivery error: dd jane@corp.test is no longer valid. [-20]', 'mailbox_disabled'],
    ['554 5.7.1 <jane@corp.test>: Recipient address rejected: Invalid-Recipient', 'mailbox_not_found'],
    ['554 5.7.1 <jane@corp.test>: Recipient address rejected: Not in recipient list', 'mailbox_not_found'],
    [
      '553 5.1.2 The recipient address <jane@corp.test> is not a valid RFC-5321 address.',
      'mailbox_not_found',
    ],
    ['550 5.1.2 <jane@corp.test>: Recipient address rejected: Domain not found', 'mailbox_not_found'],
    ['501 5.1.3 Bad recipient address syntax', 'mailbox_not_found'],
    ['452 <jane@corp.test>: mailbox quota exceeded', 'mailbox_full'],
  ])('is classified: %s', (text, category) => {
    expect(explained(text, 'jane@corp.test')?.category).toBe(category);
  });
});

describe('an explanation', () => {
  it('contains the rule, and the features sorted by weight', () => {
    const explanation = explained('550 5.1.1 <jane@corp.test>: User unknown', 'jane@corp.test');
    expect(explanation).toMatchObject({
      code: 550,
      enhancedCode: '5.1.1',
      rule: 'recipient5xx.absent',
      mailboxState: 'absent',
    });
    expect(explanation?.features.map(({ feature }) => feature)).toEqual(
      expect.arrayContaining(['mailbox', 'unknown', 'code:550', 'enhanced:1.1']),
    );
  });

  it('accepts a reply of several lines', () => {
    expect(explained('550-5.1.1 User\n550 5.1.1 unknown')?.category).toBe('mailbox_not_found');
  });

  it.each(['', 'User unknown', '99 x', '5500 x', '\r\n550 x'])(
    'is null for a text that is not a reply: %p',
    (text) => {
      expect(explained(text)).toBeNull();
    },
  );
});

describe('hostile text', () => {
  it.each(['user ', 'x.y.', 'userrecipientmailbox', '不', "n't ", '<>', 'a\0\r\n', 'http://', '@', '\u0301'])(
    'has a limited number of tokens, however often it has %p',
    (part) => {
      const text = `550 ${part.repeat(20_000)}`;
      expect(tokensOf(text).length).toBeLessThanOrEqual(MAX_TOKENS);
      expect(() => explained(text)).not.toThrow();
    },
  );
});
