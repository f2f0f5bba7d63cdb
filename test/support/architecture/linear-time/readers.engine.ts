import * as meant from '../../../../src/engine/address/address-meant.js';
import { repairAddress } from '../../../../src/engine/address/address-repair.js';
import { canonicalEmail } from '../../../../src/engine/address/canonical-email.js';
import { suggestDomain } from '../../../../src/engine/address/did-you-mean.js';
import * as email from '../../../../src/engine/address/email-address.js';
import { parseLocalPart } from '../../../../src/engine/address/local-part.js';
import { confusableProvider, isLookAlike } from '../../../../src/engine/address/look-alike.js';
import { isSpecialUse } from '../../../../src/engine/address/special-use.js';
import { isDnsName, normalizeDnsName } from '../../../../src/engine/dns/adapters/dns-name.js';
import { readMessage } from '../../../../src/engine/dns/adapters/dns-reader.js';
import { addressesWithoutQuery } from '../../../../src/engine/dns/adapters/host-resolver.js';
import { exchangeOf, isUsableExchange } from '../../../../src/engine/dns/adapters/mx-exchange.js';
import { findDmarc, walkOf } from '../../../../src/engine/published/dmarc.js';
import { mtaStsOf, onlyRecord, spfOf } from '../../../../src/engine/published/published-records.js';
import { readBounce } from '../../../../src/engine/replies/bounce-reply.js';
import * as mailbox from '../../../../src/engine/replies/mailbox-reply.js';
import { sentenceOf, withoutNames } from '../../../../src/engine/replies/quoted-names.js';
import { quotedReply, replyOfStatus } from '../../../../src/engine/replies/quoted-reply.js';
import { subjectOf } from '../../../../src/engine/replies/rejection-subject.js';
import { explainReply } from '../../../../src/engine/replies/reply-explanation.js';
import { conceptsIn, unreadWords } from '../../../../src/engine/replies/reply-concepts.js';
import { featuresOf } from '../../../../src/engine/replies/reply-features.js';
import { conceptsOf, isFunctionWord, phraseAt } from '../../../../src/engine/replies/reply-lexicon.js';
import { probabilitiesOf, scoreReply } from '../../../../src/engine/replies/reply-model.js';
import { isMailbox, withoutForeignLack } from '../../../../src/engine/replies/reply-things.js';
import { plain, tokensOf } from '../../../../src/engine/replies/reply-tokens.js';
import { WEIGHTS } from '../../../../src/engine/replies/reply-weights.js';
import { REPLY_RULES } from '../../../../src/engine/replies/reply-rules.js';
import { retryDelaySeconds } from '../../../../src/engine/replies/retry-delay.js';
import { excerpt, parseEnhancedCode, smtpReply } from '../../../../src/engine/replies/smtp-reply.js';
import { SmtpReplyReader } from '../../../../src/engine/smtp/protocol/smtp-reply-reader.js';
import { spfResult } from '../../../../src/modules/operation/doctor/checks/spf.js';
import { ofLength, type TextReader } from './growth.js';

const NAMES = {
  recipient: 'ghost@example.com',
  sender: 'verify@rcpt.example',
  heloName: 'verify.rcpt.example',
};

const contextOf = (text: string, code = 550) => ({
  stage: 'rcpt' as const,
  reply: smtpReply(code, text.split('\n')),
  provider: null,
  ...NAMES,
});
const inputOf = (text: string) => ({ code: 550, enhancedCode: null, words: text });
const addressOf = (text: string) => ({ localPart: text, domain: text }) as email.EmailAddress;
const texts = (text: string) => async () => ({ kind: 'texts' as const, texts: [text, ...text.split('\n')] });

/** By file and exported name, each with what it reads of a text. */
export const ENGINE_READERS: Readonly<Record<string, Readonly<Record<string, TextReader | TextReader[]>>>> = {
  'engine/address/address-meant': { addressMeant: meant.addressMeant },
  'engine/address/address-repair': { repairAddress },
  'engine/address/canonical-email': { canonicalEmail: (text) => canonicalEmail(addressOf(text)) },
  'engine/address/did-you-mean': { suggestDomain: [suggestDomain, (text) => suggestDomain(`${text}.com`)] },
  'engine/address/email-address': {
    parseEmailAddress: [email.parseEmailAddress, (text) => email.parseEmailAddress(`${text}@example.com`)],
    addressesWithin: email.addressesWithin,
    parseMailbox: email.parseMailbox,
    addressKeyOf: email.addressKeyOf,
    inSpelling: (text) =>
      email.inSpelling(
        { email: 'a@b.co', normalizedEmail: 'a@b.co' } as Parameters<typeof email.inSpelling>[0],
        text,
      ),
  },
  'engine/address/local-part': { parseLocalPart },
  'engine/address/look-alike': { isLookAlike: (text) => isLookAlike(addressOf(text)), confusableProvider },
  'engine/address/special-use': { isSpecialUse },
  'engine/dns/adapters/dns-reader': {
    readMessage: (text) => readMessage(Buffer.from(text, 'latin1').subarray(0, 65_535)),
  },
  'engine/dns/adapters/dns-name': { isDnsName, normalizeDnsName },
  'engine/dns/adapters/host-resolver': { addressesWithoutQuery },
  'engine/dns/adapters/mx-exchange': { exchangeOf, isUsableExchange },
  'engine/published/dmarc': {
    findDmarc: [
      (text) => findDmarc('a.example', texts(`v=DMARC1;${text}`), Promise.resolve(true)),
      (text) => findDmarc('a.example', texts(text), Promise.resolve(false)),
    ],
    walkOf,
  },
  'engine/published/published-records': {
    onlyRecord: (text) => onlyRecord([text, ...text.split('\n')], /^v=/),
    spfOf: [(text) => spfOf([text]), (text) => spfOf([`v=spf1 ${text}`])],
    mtaStsOf: [(text) => mtaStsOf([text]), (text) => mtaStsOf([`v=STSv1;${text}`])],
  },
  'engine/replies/bounce-reply': {
    readBounce: (text) => readBounce({ ...contextOf(text) }),
  },
  'engine/replies/mailbox-reply': {
    readReply: [
      (text) => mailbox.readReply(contextOf(text)),
      (text) => mailbox.readReply(contextOf(text, 450)),
      (text) => mailbox.readReply({ ...contextOf(text, 554), stage: 'banner' }),
    ],
    requiresStartTls: (text) => mailbox.requiresStartTls(smtpReply(550, [text])),
    deniesRelaying: (text) => mailbox.deniesRelaying(smtpReply(550, [text])),
    firstRule: (text) => mailbox.firstRule(contextOf(text), REPLY_RULES.recipient5xx),
    scoreOf: (text) => mailbox.scoreOf(contextOf(text)),
  },
  'engine/replies/quoted-names': {
    withoutNames: [
      (text) => withoutNames(text, NAMES),
      (text) => withoutNames('ghost@example.com', { ...NAMES, recipient: text }),
    ],
    sentenceOf,
  },
  'engine/replies/quoted-reply': {
    quotedReply: [quotedReply, (text) => quotedReply(`550 ${text}`)],
    replyOfStatus: [(text) => replyOfStatus(text, text), (text) => replyOfStatus('5.1.1', text)],
  },
  'engine/replies/rejection-subject': { subjectOf: (text) => subjectOf({ text, enhancedCode: text }) },
  'engine/replies/reply-explanation': {
    explainReply: (text) =>
      explainReply({ text: `550 ${text}`, stage: 'rcpt', provider: null, recipient: 'a@b.co' }),
  },
  'engine/replies/reply-features': {
    featuresOf: (text) => featuresOf(inputOf(text)),
  },
  'engine/replies/reply-concepts': {
    unreadWords,
    conceptsIn: (text) => conceptsIn(text.split(' ')),
  },
  'engine/replies/reply-lexicon': {
    phraseAt: (text) => phraseAt(text.split(' '), 0),
    conceptsOf,
    isFunctionWord,
  },
  'engine/replies/reply-model': {
    scoreReply: (text) => scoreReply(inputOf(text)),
    probabilitiesOf: (text) => probabilitiesOf(text.split(' '), WEIGHTS),
  },
  'engine/replies/reply-tokens': { plain, tokensOf },
  'engine/replies/reply-things': {
    isMailbox: (text) => isMailbox({ name: text }),
    withoutForeignLack: ['syntax', 'unknown', 'recipient'].map((name) =>
      ofLength((length) =>
        withoutForeignLack(
          Array.from({ length: length / 8 }, (_, at) => ({ name: at % 3 === 0 ? 'syntax' : name, gap: 0 })),
        ),
      ),
    ),
  },
  'engine/replies/retry-delay': { retryDelaySeconds },
  'engine/replies/smtp-reply': {
    smtpReply: (text) => smtpReply(550, text.split('\n')),
    parseEnhancedCode: (text) => parseEnhancedCode(550, text),
    excerpt,
  },
  'engine/smtp/protocol/smtp-reply-reader': {
    SmtpReplyReader: [
      (text) => replies(Buffer.from(text)),
      (text) => replies(Buffer.from(text.replaceAll('\n', '\n550-'))),
      (text) => replies(Buffer.from(text.slice(0, text.length / 4)), 1),
    ],
  },
  'modules/operation/doctor/checks/spf': {
    spfResult: (text) => {
      const found = async () => ({
        kind: 'records' as const,
        records: [`v=spf1 ${text}`, ...text.split('\n')],
      });
      const names = { texts: found, mx: found, addresses: found } as unknown as Parameters<
        typeof spfResult
      >[0];
      return spfResult(names, 'a.example', '192.0.2.1');
    },
  },
};

function replies(octets: Buffer, size = 4_096): void {
  const reader = new SmtpReplyReader();
  for (let at = 0; at < octets.length; at += size) reader.push(octets.subarray(at, at + size));
}
