import { describe, expect, it } from '@jest/globals';
import { ISEMAIL_CASES, type IsemailCase } from '../../../test/support/address-oracles/isemail.js';
import { FORM_CASES, FORM_IDN_CASES } from '../../../test/support/address-oracles/web-platform-tests.js';
import { withoutSurroundingSpace } from '../../kernel/text/surrounding-space.js';
import { parseEmailAddress, type AddressSyntaxError } from './email-address.js';

/** What an oracle accepts and we refuse. */
interface Difference {
  /** A diagnosis of is_email, or a value of the web-platform-tests. */
  of: readonly string[];
  ours: readonly AddressSyntaxError[];
  why: string;
}

const IN_A_MESSAGE =
  'may stand in a message; what goes to a server is a Mailbox (RFC 5321 §4.1.2), which has none of it, ' +
  'and nobody means it who types an address';
const OBSOLETE = 'RFC 5322 §4 has it be read in old messages and never be written';
const LITERAL =
  'an address literal is refused by policy: nobody has a contact at one, and what we dial comes from the DNS';
const NO_LITERAL = 'is no address literal of RFC 5321 §4.1.3, and those are refused too';
const NO_LENGTH =
  'is longer than a server has to take (RFC 5321 §4.5.3.1) or the DNS can hold (RFC 1035 §2.3.4)';
const NUMBER = 'no top-level domain is a number (RFC 3696 §2): it is an IP address without brackets';
const FORM = 'a form may be empty';

const OF_ISEMAIL: readonly Difference[] = [
  {
    of: ['cfwsComment', 'cfwsFWS'],
    ours: ['local_part_character', 'local_part_too_long'],
    why: IN_A_MESSAGE,
  },
  {
    of: ['deprecatedCFWSNearAt', 'deprecatedComment', 'deprecatedFWS'],
    ours: ['local_part_character', 'domain_label'],
    why: OBSOLETE,
  },
  { of: ['deprecatedLocalPart'], ours: ['quoted_string'], why: OBSOLETE },
  {
    of: ['deprecatedQTEXT', 'deprecatedQP', 'deprecatedCTEXT'],
    ours: ['local_part_character'],
    why: `${OBSOLETE}; a control character never reaches a socket`,
  },
  { of: ['rfc5321AddressLiteral', 'deprecatedIPv6'], ours: ['address_literal'], why: LITERAL },
  {
    of: [
      'rfc5322DomainLiteralOBSDText',
      'rfc5322IPv6GroupCount',
      'rfc5322IPv6BadCharacter',
      'rfc5322IPv6MaxGroups',
      'rfc5322IPv6ColonStart',
      'rfc5322IPv6ColonEnd',
      'rfc5322IPv62x2xColon',
    ],
    ours: ['address_literal'],
    why: NO_LITERAL,
  },
  { of: ['rfc5322DomainLiteral'], ours: ['address_literal', 'domain_label'], why: NO_LITERAL },
  { of: ['rfc5322Domain'], ours: ['domain_label'], why: 'mail domains are letters, digits and hyphens' },
  { of: ['rfc5322LocalTooLong'], ours: ['local_part_too_long'], why: NO_LENGTH },
  { of: ['rfc5322LabelTooLong'], ours: ['domain_label'], why: NO_LENGTH },
  { of: ['rfc5322TooLong', 'rfc5322DomainTooLong'], ours: ['too_long', 'domain_too_long'], why: NO_LENGTH },
  { of: ['rfc5321TLDNumeric'], ours: ['domain_label'], why: NUMBER },
];

const OF_FORMS: readonly Difference[] = [
  { of: ['a@123', 'a@123.123.123.123'], ours: ['domain_label'], why: NUMBER },
  { of: ['a@[::1]'], ours: ['address_literal'], why: LITERAL },
  { of: [''], ours: ['empty'], why: FORM },
];

type Outcome = AddressSyntaxError | 'taken';

function outcomeOf(text: string): Outcome {
  const parsed = parseEmailAddress(text);
  return parsed.ok ? 'taken' : parsed.error;
}

/** The allowed outcomes where the oracle accepts an address, by the name of the case. */
function allowed(differences: readonly Difference[], name: string): readonly Outcome[] {
  return differences.find(({ of }) => of.includes(name))?.ours ?? ['taken'];
}

/** White space around an address is ignored: the cases that have it are cases without it. */
const bare = ([address]: IsemailCase) => withoutSurroundingSpace(address) === address;
const BARE_CASES = ISEMAIL_CASES.filter(bare);
const SURROUNDED_CASES = ISEMAIL_CASES.filter((example) => !bare(example));

describe('is_email’s test set', () => {
  it.each(SURROUNDED_CASES)('%j is what it is without white space around it', (address) => {
    expect(parseEmailAddress(address)).toEqual(parseEmailAddress(withoutSurroundingSpace(address)));
  });

  it.each(BARE_CASES)('%j: %s', (address, diagnosis) => {
    const outcome = outcomeOf(address);
    if (diagnosis.startsWith('err')) expect(outcome).not.toBe('taken');
    else expect(allowed(OF_ISEMAIL, diagnosis)).toContain(outcome);
  });
});

describe('the web-platform-tests', () => {
  it.each(FORM_CASES)('%j is valid: %s', (value, valid) => {
    const outcome = outcomeOf(value);
    if (valid) expect(allowed(OF_FORMS, value)).toContain(outcome);
    else expect([outcome, value]).not.toEqual(['taken', value]);
  });

  it.each(FORM_IDN_CASES)('%s becomes %s', (value, ascii) => {
    expect(parseEmailAddress(value)).toMatchObject({ ok: true, address: { normalized: ascii } });
  });
});

describe('the differences', () => {
  const met = (differences: readonly Difference[]) => differences.flatMap(({ of }) => of);

  it('each occur in some case, in every allowed form', () => {
    const diagnoses = BARE_CASES.map(([, diagnosis]) => diagnosis);
    expect(met(OF_ISEMAIL).filter((name) => !diagnoses.includes(name))).toEqual([]);
    for (const { of, ours } of OF_ISEMAIL) {
      const outcomes = BARE_CASES.filter(([, name]) => of.includes(name)).map(([text]) => outcomeOf(text));
      expect(ours.filter((fault) => !outcomes.includes(fault))).toEqual([]);
    }
    const values = FORM_CASES.filter(([, valid]) => valid).map(([value]) => value);
    expect(met(OF_FORMS).filter((value) => !values.includes(value))).toEqual([]);
  });

  it('are each listed once, with a reason', () => {
    const all = [...OF_ISEMAIL, ...OF_FORMS];
    expect(new Set(met(all)).size).toBe(met(all).length);
    expect(all.filter(({ why }) => why === '')).toEqual([]);
  });
});
