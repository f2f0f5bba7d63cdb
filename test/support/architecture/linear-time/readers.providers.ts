import * as events from '../../../../src/modules/events/outcome-intake/domain/providers/provider-events.js';
import {
  PROVIDERS,
  SOURCE_KINDS,
  type SourceKind,
} from '../../../../src/modules/events/outcome-intake/domain/providers/providers.js';
import { readRequest } from '../../../../src/modules/events/outcome-intake/domain/providers/read-request.js';
import * as secrets from '../../../../src/modules/events/outcome-intake/domain/providers/secrets.js';
import {
  categoryOfSes,
  isNotSentBySes,
} from '../../../../src/modules/events/outcome-intake/domain/providers/ses.js';
import * as checks from '../../../../src/modules/events/outcome-intake/domain/providers/signature-checks.js';
import { notificationIn } from '../../../../src/modules/events/outcome-intake/domain/providers/sns-mail.js';
import * as sns from '../../../../src/modules/events/outcome-intake/domain/providers/sns-signature.js';
import { PROVIDER_EVENTS } from '../../outcomes/provider-events.js';
import {
  amazon,
  CERTIFICATE_URL,
  NOW as SIGNED_AT,
  SECRETS,
  SIGNERS,
  type Signed,
} from '../../outcomes/source-signers.js';
import { ofLength, type TextReader } from './growth.js';

const NOW = new Date(SIGNED_AT);
const URL_OF_SOURCE = 'https://rcpt.example/inbound';

const requestOf = ({ body, headers }: Signed): events.ProviderRequest => {
  const names = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { header: (name) => names.get(name), body: Buffer.from(body), url: URL_OF_SOURCE };
};
const unsigned = (text: string): events.ProviderRequest => ({
  header: () => text,
  body: Buffer.from(text),
  url: URL_OF_SOURCE,
});

/** The same event with the text as each address, sentence, id and name of a server. */
function withTexts(event: unknown, text: string): unknown {
  if (typeof event === 'string') return /[ @.:-]/.test(event) ? text : event;
  if (Array.isArray(event)) return event.map((each) => withTexts(each, text));
  if (typeof event !== 'object' || event === null) return event;
  return Object.fromEntries(Object.entries(event).map(([name, value]) => [name, withTexts(value, text)]));
}

/** Postal signs with RSA, which takes longer than reading; its key is not needed to read a body. */
const signedBy = (kind: SourceKind, event: unknown): Signed =>
  kind === 'postal' || kind === 'ses'
    ? { body: JSON.stringify(event), headers: {} }
    : SIGNERS[kind](event, undefined, URL_OF_SOURCE);

/** What a provider sends, with long texts in each place of its events, in its headers, and many events. */
function requestsTo(kind: SourceKind): TextReader[] {
  const { read, verify } = PROVIDERS[kind];
  const proof = { secret: SECRETS[kind], now: NOW };
  const [bounce] = PROVIDER_EVENTS[kind] as readonly unknown[];
  const usual = SIGNERS[kind](bounce, undefined, URL_OF_SOURCE);
  const readSigned = (event: unknown) => {
    const request = requestOf(signedBy(kind, event));
    read(kind === 'postal' || kind === 'ses' ? checks.jsonOf(request.body) : verify(request, proof).body);
  };
  return [
    (text) => readSigned(withTexts(bounce, text)),
    (text) => readSigned(text),
    (text) => verify(unsigned(text), proof),
    (text) => verify(requestOf({ ...usual, body: text }), proof),
    ...Object.keys(usual.headers).map(
      (name) => (text: string) =>
        verify(requestOf({ ...usual, headers: { ...usual.headers, [name]: text } }), proof),
    ),
    (text) => PROVIDERS[kind].secretError(text),
    ofLength((length) => readSigned(Array.from({ length: length / 500 }, () => bounce).flat())),
  ];
}

/** A message of Amazon SNS whose signature is decided by its certificate. */
const snsOf = (members: object) => ({
  ...{ Type: 'Notification', Timestamp: SIGNED_AT, SignatureVersion: '2' },
  ...{ SigningCertURL: CERTIFICATE_URL, Signature: 'AAAA', ...members },
});

/** By file and exported name, each with what it reads of a text. */
export const PROVIDER_READERS: Readonly<Record<string, Readonly<Record<string, TextReader | TextReader[]>>>> =
  {
    PROVIDERS: Object.fromEntries(SOURCE_KINDS.map((kind) => [kind, requestsTo(kind)])),
    'modules/events/outcome-intake/domain/providers/provider-events': {
      objectIn: events.objectIn,
      listIn: (text) => events.listIn(text.split(',')),
      notTooMany: (text) => events.notTooMany(text.split(',')),
      oneOrMoreIn: (text) => events.oneOrMoreIn(text.split(',')),
      textIn: events.textIn,
      wordIn: events.wordIn,
      timeIn: events.timeIn,
      codeIn: events.codeIn,
      enhancedCodeIn: events.enhancedCodeIn,
      kindOf: (text) => events.kindOf({ a: 'bounced' }, text),
      diagnosticIn: events.diagnosticIn,
      isNoComplaint: events.isNoComplaint,
      eventOf: (text) => events.eventOf('bounced', text, { reply: text, remoteHost: text }),
    },
    'modules/events/outcome-intake/domain/providers/read-request': {
      readRequest: (text) =>
        readRequest({ kind: 'ses', secret: null }, requestOf(snsRequest({ Message: text })), NOW),
    },
    'modules/events/outcome-intake/domain/providers/secrets': {
      required: secrets.required('the key', secrets.isSigningKey),
      credentialError: secrets.credentialError,
      isSigningKey: secrets.isSigningKey,
      isBearerToken: secrets.isBearerToken,
      rsaKey: secrets.rsaKey,
    },
    'modules/events/outcome-intake/domain/providers/ses': {
      isNotSentBySes,
      categoryOfSes: (text) => categoryOfSes(text, text),
    },
    'modules/events/outcome-intake/domain/providers/signature-checks': {
      signedHeader: (text) => checks.signedHeader(unsigned(text), 'signature'),
      isSame: [(text) => checks.isSame(text, text), (text) => checks.isSame('a', text)],
      signatureBytes: checks.signatureBytes,
      isBodySigned: (text) => checks.isBodySigned(Buffer.from(text), text, 'a'),
      verifyCredential: [null, 'hook:s3cret', 'a-bearer-token-of-the-hook'].map(
        (secret) => (text: string) =>
          checks.verifyCredential(unsigned(`Bearer ${text}`), { secret, now: NOW }),
      ),
      jsonOf: [
        (text) => checks.jsonOf(Buffer.from(text)),
        (text) => checks.jsonOf(Buffer.from(`["${text}"]`)),
      ],
    },
    'modules/events/outcome-intake/domain/providers/sns-mail': {
      notificationIn: [
        (text) => notificationIn({ header: () => text, text, parts: [] }),
        (text) =>
          notificationIn({
            header: () => 'a',
            text: `${JSON.stringify(withTexts(PROVIDER_EVENTS.ses[0], text))}\n\n${text}`,
            parts: [],
          }),
      ],
    },
    'modules/events/outcome-intake/domain/providers/sns-signature': {
      isSnsType: sns.isSnsType,
      snsSignatureOf: ['Message', 'TopicArn', 'Signature', 'SigningCertURL', 'Timestamp'].map(
        (name) => (text: string) => sns.snsSignatureOf(snsOf({ [name]: text }), 'Notification', NOW),
      ),
      requireSns: [
        (text) =>
          sns.requireSns(sns.snsSignatureOf(snsOf({ Message: text }), 'Notification', NOW), amazon.cert),
        (text) => sns.requireSns(sns.snsSignatureOf(snsOf({}), 'Notification', NOW), text),
      ],
      isConfirmationUrl: [
        sns.isConfirmationUrl,
        (text) => sns.isConfirmationUrl(`https://sns.eu-west-1.amazonaws.com/?${text}`),
      ],
    },
  };

function snsRequest(members: object): Signed {
  return { body: JSON.stringify(snsOf(members)), headers: {} };
}
