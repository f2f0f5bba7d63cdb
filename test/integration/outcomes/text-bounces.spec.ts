import { describe, expect, it } from '@jest/globals';
import type { OutcomeReport } from '../../../src/kernel/outcome-report.js';
import { read, readingsOf } from '../../support/outcomes/readings.js';
import { TEXT_BOUNCES } from '../../support/outcomes/text-bounces.js';

const GHOST = 'ghost@example.com';

describe.each(Object.entries(TEXT_BOUNCES))('a bounce in the words of %s', (_, write) => {
  it.each([
    ['of a mailbox that does not exist is hard', '550', '5.1.1', `<${GHOST}>... User unknown`, 'hard'],
    ['of a mailbox that is disabled is hard', '550', '5.2.1', 'The account ghost has been disabled', 'hard'],
    ['of a full mailbox is not', '552', '5.2.2', `<${GHOST}>... Mailbox full`, 'mailbox_full'],
    ['of a mailbox that is full now is not', '452', '4.2.2', 'Mailbox is over quota', 'mailbox_full'],
    [
      'of a client that is refused is not',
      '554',
      '5.7.1',
      'Client host [192.0.2.1] blocked using zen.spamhaus.org',
      'sender_blocked',
    ],
  ])('%s', (_, code, status, text, reading) => {
    expect(readingsOf(read(write({ recipient: GHOST, code, status, text })))).toEqual([[GHOST, reading]]);
  });

  it('has the time and the Message-ID of the report, with lines that end in any way', () => {
    const message = write({ recipient: GHOST, code: '550', status: '5.1.1', text: 'User unknown' });
    for (const end of ['\n', '\r\n', '\r']) {
      const [entry] = read(message.replaceAll('\n', end)) as [OutcomeReport];
      expect([entry.email, entry.messageId, entry.at?.toISOString()]).toEqual([
        GHOST,
        '<text1@mail.sender.example>',
        '2026-11-10T10:00:00.000Z',
      ]);
    }
  });

  it('is none in an answer of a person, or quoted', () => {
    const message = write({ recipient: GHOST, code: '550', status: '5.1.1', text: 'User unknown' });
    const answer = message.replace(/^Subject: /m, 'Subject: Re: ');
    const [head = '', ...body] = message.split('\n\n');
    const quoted = `${head.replace(/^X-Failed-Recipients.*\n/m, '')}\n\nHello, what is this?\n\n${body.join('\n\n').replace(/^/gm, '> ')}`;
    expect(readingsOf(read(answer))).toEqual([['', 'no_report']]);
    expect(readingsOf(read(quoted))).toEqual([['', 'no_report']]);
  });
});
