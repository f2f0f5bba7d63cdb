import { afterEach, describe, expect, it } from '@jest/globals';
import { DIALOGUES } from '../../support/recorded/smtp/dialogues.js';
import { smtpRecordingOf, type SpokenLine } from '../../support/recorded/smtp/recording.js';
import { hold } from '../../support/recorded/smtp/spoken-session.js';
import {
  greylisting,
  mailboxes,
  offeringSmtpUtf8,
  offeringTls,
  postscreen,
  requiringTls,
  servingAtOnce,
  wantingFullName,
  type SmtpBehaviour,
} from '../../support/smtp/smtp-behaviours.js';
import { ask } from '../../support/smtp/smtp-probe.js';
import { SmtpServer } from '../../support/smtp/smtp-server.js';

let server: SmtpServer;
afterEach(() => server.stop());

const postfix = offeringSmtpUtf8(offeringTls(mailboxes('jane')));
const withoutTls = offeringSmtpUtf8(mailboxes('jane'));

function linesOf(name: string, title: string): SpokenLine[] {
  return smtpRecordingOf(name).dialogues.find((dialogue) => dialogue.title === title)!.lines;
}

describe('a scripted mail server says what Postfix says', () => {
  it.each<[string, string, SmtpBehaviour]>([
    ...[
      'a probe',
      'a probe after HELO',
      'an empty sender',
      'pipelining',
      'a second transaction',
      'MAIL in a transaction',
      'RCPT before MAIL',
      'TLS',
    ].map((title): [string, string, SmtpBehaviour] => ['postfix', title, postfix]),
    ['postfix-limits', 'a second transaction', withoutTls],
    ['postfix-limits', 'a name without a dot', wantingFullName(withoutTls)],
    ['postfix-limits', 'another session', servingAtOnce(2, withoutTls)],
    ['postfix-tls', 'a probe after HELO', requiringTls(postfix)],
    ['postfix-tls', 'TLS', requiringTls(postfix)],
    ['postfix-postscreen', 'a probe', postscreen(postfix, 10)],
    ['postfix-postgrey', 'a probe', greylisting(postfix)],
  ])('%s: %s', async (name, title, behaviour) => {
    server = await SmtpServer.start({ behaviour });
    const dialogue = DIALOGUES.find((each) => each.title === title)!;
    expect(await hold(server.port, dialogue)).toEqual(linesOf(name, title));
  });
});

/** The replies of the dialogue of a probe. */
function asRecorded(name: string): SmtpBehaviour {
  const replies: string[][] = [[]];
  for (const [speaker, line] of linesOf(name, 'a probe'))
    if (speaker === 'C') replies.push([]);
    else if (line !== null) replies.at(-1)!.push(line);
  const [banner, ehlo, mail, known, unknown, rset] = replies.map((lines) => lines.join('\n')) as [
    string,
    ...string[],
  ];
  return {
    ...mailboxes(),
    startTls: 'offered',
    banner,
    ehlo: ehlo!,
    mail: () => mail!,
    rcpt: ({ localPart }) => (localPart === 'jane' ? known! : unknown!),
    rset: rset!,
  };
}

describe('a probe reads the replies of', () => {
  it.each([
    ['postfix', 'mailbox_not_found'],
    ['exim', 'mailbox_not_found'],
    ['opensmtpd-local', 'mailbox_not_found'],
    ['postfix-postgrey', 'greylisted'],
  ])('%s', async (name, category) => {
    server = await SmtpServer.start({ behaviour: asRecorded(name) });
    const hosts = { 'mx.test': ['127.0.0.1'] };
    const known = await ask(server.port, { recipient: 'jane@example.com', hosts });
    const unknown = await ask(server.port, { recipient: 'nobody.here@example.com', hosts });
    expect(known.evidence).toMatchObject({ category: category === 'greylisted' ? category : 'accepted' });
    expect(unknown.evidence).toMatchObject({ stage: 'rcpt', category });
  });

  // Its reply for an unknown user of a virtual table speaks of a mailing list.
  it('opensmtpd with a virtual table', async () => {
    server = await SmtpServer.start({ behaviour: asRecorded('opensmtpd') });
    const hosts = { 'mx.test': ['127.0.0.1'] };
    const { evidence } = await ask(server.port, { recipient: 'nobody.here@example.com', hosts });
    expect(evidence).toMatchObject({ stage: 'rcpt', code: 524 });
  });
});
