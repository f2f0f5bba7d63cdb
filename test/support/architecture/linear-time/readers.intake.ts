import { BOUNCE_FORMATS } from '../../../../src/modules/events/outcome-intake/domain/reports/bounce-formats.js';
import * as bounceText from '../../../../src/modules/events/outcome-intake/domain/reports/bounce-text.js';
import {
  complainants,
  isComplaint,
} from '../../../../src/modules/events/outcome-intake/domain/reports/complaint.js';
import * as decodedText from '../../../../src/modules/events/outcome-intake/domain/reports/decoded-text.js';
import { recipientsIn } from '../../../../src/modules/events/outcome-intake/domain/reports/delivery-status.js';
import {
  generalFailure,
  isOfMailSystem,
} from '../../../../src/modules/events/outcome-intake/domain/reports/general-bounce.js';
import type { MailMessage } from '../../../../src/modules/events/outcome-intake/domain/reports/mail-message.js';
import { mailboxIn } from '../../../../src/modules/events/outcome-intake/domain/reports/mailbox.js';
import { parseMessage } from '../../../../src/modules/events/outcome-intake/domain/reports/parse-message.js';
import {
  partHeader,
  partText,
} from '../../../../src/modules/events/outcome-intake/domain/reports/part-text.js';
import {
  plainBounce,
  writtenFailures,
} from '../../../../src/modules/events/outcome-intake/domain/reports/plain-bounce.js';
import { readReport } from '../../../../src/modules/events/outcome-intake/domain/reports/read-report.js';
import { reported } from '../../../../src/modules/events/outcome-intake/domain/reports/report.js';
import * as fields from '../../../../src/modules/events/outcome-intake/domain/reports/report-fields.js';
import {
  eximFailures,
  failuresIn,
  isDelay,
} from '../../../../src/modules/events/outcome-intake/domain/reports/written-bounce.js';
import { readEntry, readRow } from '../../../../src/modules/events/outcome-intake/domain/read-entry.js';
import type { TextReader } from './growth.js';

const ORIGIN = { messageId: null, at: null, sender: null };
const NO_FIELDS: fields.Fields = new Map();

const messageOf = (text: string): MailMessage => ({
  header: () => text,
  text,
  parts: [
    { type: 'text/plain', text },
    { type: 'message/feedback-report', text: `Feedback-Type: abuse\n${text}` },
    { type: 'message/rfc822', text: `To: ${text}` },
  ],
});

const fromDaemon = (text: string): MailMessage => ({
  ...messageOf(text),
  header: (name) => (name === 'from' ? 'MAILER-DAEMON' : text),
});

/** A body of which each member is a text. */
const everyMember = (text: string) =>
  new Proxy({}, { get: () => text, ownKeys: () => [], has: () => true }) as Record<string, unknown>;

/** By file and exported name, each with what it reads of a text. */
export const INTAKE_READERS: Readonly<Record<string, Readonly<Record<string, TextReader | TextReader[]>>>> = {
  'modules/events/outcome-intake/domain/read-entry': {
    readEntry: [(text) => readEntry(everyMember(text)), (text) => readEntry({ [text]: text })],
    readRow: (text) => readRow({ email: text, outcome: text, at: text, code: text, enhanced_code: text }),
  },
  'modules/events/outcome-intake/domain/reports/written-bounce': {
    failuresIn: (text) => failuresIn(messageOf(text)),
    isDelay,
    eximFailures: (text) => eximFailures(messageOf(text), text),
  },
  'modules/events/outcome-intake/domain/reports/report-fields': {
    dateIn: fields.dateIn,
    blocksOf: [(text) => fields.blocksOf(text), (text) => fields.blocksOf(`a: b\n${text}`, ['a'])],
    valuesOf: (text) => fields.valuesOf(text, 'a'),
    typedValue: fields.typedValue,
    addressIn: [fields.addressIn, (text) => fields.addressIn(`utf-8;${text}`)],
  },
  'modules/events/outcome-intake/domain/reports/general-bounce': {
    generalFailure: [
      (text) => generalFailure(fromDaemon(text)),
      (text) => generalFailure(fromDaemon(`ghost@example.com\n550 5.1.1 ${text}`)),
    ],
    isOfMailSystem: (text) => isOfMailSystem(messageOf(text)),
  },
  'modules/events/outcome-intake/domain/reports/mailbox': { mailboxIn },
  'modules/events/outcome-intake/domain/reports/decoded-text': {
    bytesOf: ['base64', 'quoted-printable', ''].map(
      (kind) => (text: string) => decodedText.bytesOf(text, kind),
    ),
    textOf: [null, 'utf-8', 'x', 'iso-2022-jp'].map(
      (charset) => (text: string) => decodedText.textOf(Buffer.from(text), charset),
    ),
    decodedWords: decodedText.decodedWords,
  },
  'modules/events/outcome-intake/domain/reports/bounce-text': {
    sectionsOf: BOUNCE_FORMATS.filter((_, at) => at % 8 === 0).map(
      ({ recipient }) =>
        (text: string) =>
          bounceText.sectionsOf(text, recipient),
    ),
    replyIn: (text) => bounceText.replyIn(text.slice(0, 4_000).split('\n')),
    wordsOf: (text) => bounceText.wordsOf(text.split('\n')),
    failureOf: (text) =>
      bounceText.failureOf({
        email: 'a@b.co',
        line: '',
        before: '',
        rest: text,
        lines: text.slice(0, 4_000).split('\n'),
      }),
  },
  'modules/events/outcome-intake/domain/reports/delivery-status': {
    recipientsIn: [
      (text) => recipientsIn(text, [], ORIGIN),
      (text) => recipientsIn(`a: b\n\nFinal-Recipient: rfc822;a@b.co\n${text}`, [], ORIGIN),
      (text) =>
        recipientsIn(
          `a: b\n\nFinal-Recipient: rfc822;a@b.co\nAction: failed\nDiagnostic-Code: smtp; ${text}`,
          [],
          ORIGIN,
        ),
    ],
  },
  'modules/events/outcome-intake/domain/reports/complaint': {
    isComplaint,
    complainants: (text) => complainants(messageOf(text), ORIGIN),
  },
  'modules/events/outcome-intake/domain/reports/report': {
    reported: (text) =>
      reported({ ...ORIGIN, messageId: text }, text, 'bounced', {
        reply: { code: 550, lines: text.split('\n') },
      }),
  },
  'modules/events/outcome-intake/domain/reports/part-text': {
    partHeader: [
      (text) => partHeader(new Map([['content-type', text]])),
      (text) => partHeader(new Map([['content-type', `multipart/mixed;boundary=${text}`]])),
    ],
    partText: ['text/plain', 'text/html'].flatMap((type) =>
      ['quoted-printable', 'base64', ''].map(
        (encoding) => (text: string) => partText(text, { ...partHeader(NO_FIELDS), type, encoding }),
      ),
    ),
  },
  'modules/events/outcome-intake/domain/reports/parse-message': {
    parseMessage: [
      (text) => parseMessage(Buffer.from(text)),
      (text) => parseMessage(Buffer.from(`Content-Type: multipart/mixed; boundary=a\n\n--a\n${text}`)),
      (text) => parseMessage(Buffer.from(`Content-Type: text/html\n\n${text}`)),
    ],
  },
  'modules/events/outcome-intake/domain/reports/read-report': {
    readReport: [
      (text) => readReport(messageOf(text)),
      (text) => readReport(parseMessage(Buffer.from(`Subject: ${text}\n\n${text}`))),
      (text) => readReport(parseMessage(Buffer.from(`X-Failed-Recipients: ${text}\n\n${text}`))),
    ],
  },
  'modules/events/outcome-intake/domain/reports/plain-bounce': {
    writtenFailures: (text) => writtenFailures(messageOf(text)),
    plainBounce: [
      (text) => plainBounce(messageOf(text), ORIGIN),
      (text) => plainBounce({ ...messageOf(`Technical report:\n${text}`), header: () => null }, ORIGIN),
    ],
  },
};
