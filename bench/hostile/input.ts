import { classify } from '../../src/engine/lists/address-lists.js';
import { suggestDomain } from '../../src/engine/address/did-you-mean.js';
import { parseEmailAddress } from '../../src/engine/address/email-address.js';
import { isLookAlike } from '../../src/engine/address/look-alike.js';
import { requiresStartTls, readReply } from '../../src/engine/replies/mailbox-reply.js';
import { providerOf } from '../../src/engine/providers/mail-exchange.js';
import { excerpt, smtpReply } from '../../src/engine/replies/smtp-reply.js';
import type { DnsClient } from '../../src/engine/dns/adapters/dns-client.js';
import { isResponseTo, parseResponse, type DnsQuestion } from '../../src/engine/dns/adapters/dns-message.js';
import { DnsMxResolver } from '../../src/engine/dns/adapters/dns-mx-resolver.js';
import { readMessage } from '../../src/engine/dns/adapters/dns-reader.js';
import { SmtpReplyReader } from '../../src/engine/smtp/protocol/smtp-reply-reader.js';
import { parseIdempotencyKey } from '../../src/platform/http/idempotency/idempotency-key.js';
import { bodyFormats, streamedBody } from '../../src/platform/http/body/streamed-body.js';
import type { Request } from 'express';
import { hostileAnswers } from '../../test/support/dns/hostile-dns.js';
import { hostileTexts } from '../../test/support/architecture/hostile-texts.js';
import { patternsForUntrustedText } from '../../test/support/architecture/patterns.js';

/**
 * Measures the worst case of each parser of untrusted text: texts generated against every pattern of the
 * source, and slow DNS responses of 64 kB. Each text is parsed once; the slowest ones are parsed again, and
 * the minimum counts, to exclude noise. Exits with 1 if a parser exceeds its limit.
 *
 *     npm run ts bench/hostile/input.ts
 */
const AGAIN = 30;
const TIMES = 7;

const REPLY_MS = 5;
const DNS_MS = 10;
const OTHER_MS = 5;

interface HostileAnswer {
  kind: string;
  message: Buffer;
  question: DnsQuestion;
}

const NAMES = {
  recipient: 'ghost@example.com',
  sender: 'verify@rcpt.example',
  heloName: 'verify.rcpt.example',
};
const QUESTIONS: readonly DnsQuestion[] = [
  { type: 'MX', name: 'hostile.example' },
  { type: 'A', name: 'hostile.example' },
];

async function measure(): Promise<void> {
  const patterns = (await patternsForUntrustedText()).map(({ pattern }) => pattern);
  /** Size of a text. */
  const texts = (length: number, share = 1) => [
    ...new Set(
      patterns.flatMap((pattern) => hostileTexts(pattern, length).filter((_, n) => n % share === 0)),
    ),
  ];
  const first = timeOf(() => classifier('rcpt', 550)('exceed '.repeat(285)));
  console.log(`the first reply of a process, its patterns being compiled: ${first.toFixed(1)} ms`);
  const replies = texts(2_000);
  const named = replies.map((text) => `<ghost@example.com> example.com ghost ${text}`.slice(0, 2_000));
  const startTls = (text: string) => requiresStartTls(smtpReply(550, [text]));
  const table = [
    await worst('a reply 550 to RCPT, 2,000 characters', REPLY_MS, replies, classifier('rcpt', 550)),
    await worst('a reply 450 to RCPT, 2,000 characters', REPLY_MS, texts(2_000, 3), classifier('rcpt', 450)),
    await worst('a greeting 554, 2,000 characters', REPLY_MS, texts(2_000, 3), classifier('banner', 554)),
    await worst('a reply that repeats names', REPLY_MS, named, classifier('rcpt', 550)),
    await worst('a reply, read for STARTTLS', REPLY_MS, texts(2_000, 3), startTls),
    await worst('the octets of a reply, 32 kB', REPLY_MS, texts(32_000, 40), readOctets),
    await worst('an excerpt of 32 kB', REPLY_MS, texts(32_000, 40), excerpt),
    await worst('the name of a mail host, 253 characters', OTHER_MS, texts(253), providerOf),
    await worst('an address, 1,000 characters', OTHER_MS, texts(990, 3), readAddress),
    await worst('a Content-Type, 16 kB', OTHER_MS, texts(16_000, 20), readContentType),
    await worst('an Idempotency-Key, 16 kB', OTHER_MS, texts(16_000, 20), readKey),
    await worst('a DNS answer, 64 kB', DNS_MS, dnsAnswers(), readDns),
  ];
  console.table(table);
  if (table.some(({ ms, limit }) => ms > limit)) process.exitCode = 1;
}

/** @returns the time of the slowest input. */
async function worst<Input>(
  reader: string,
  limit: number,
  inputs: readonly Input[],
  read: (input: Input) => unknown,
) {
  for (const input of inputs.slice(0, 200)) await read(input);
  const once: { input: Input; ms: number }[] = [];
  for (const input of inputs) once.push({ input, ms: await timeOfAsync(() => read(input)) });
  const slowest = once.sort((a, b) => b.ms - a.ms).slice(0, AGAIN);
  for (const slow of slowest)
    for (let n = 0; n < TIMES; n++) slow.ms = Math.min(slow.ms, await timeOfAsync(() => read(slow.input)));
  const { input, ms } = slowest.sort((a, b) => b.ms - a.ms)[0]!;
  const text = typeof input === 'string' ? input : (input as HostileAnswer).kind;
  return { reader, inputs: inputs.length, ms: Math.round(100 * ms) / 100, limit, worst: text.slice(0, 40) };
}

function classifier(stage: 'rcpt' | 'banner', code: number): (text: string) => unknown {
  return (text) => readReply({ stage, reply: smtpReply(code, [text]), provider: 'microsoft', ...NAMES });
}

/** Consecutive lines of 4,000 octets, the maximum. */
function readOctets(text: string): void {
  const reader = new SmtpReplyReader();
  const lines = text.replaceAll('\n', ' ').match(/.{1,4000}/gs) ?? [];
  try {
    for (const line of lines) reader.push(Buffer.from(`550-${line}\n`, 'latin1'));
  } catch {
    // Too long, or not a reply.
  }
}

function readAddress(text: string): void {
  for (const email of [
    text,
    `${text}@example.com`,
    `a@${text}`,
    `${text.slice(0, 60)}@${text.slice(0, 240)}.com`,
  ]) {
    const parsed = parseEmailAddress(email);
    if (!parsed.ok) continue;
    suggestDomain(parsed.address.domain);
    isLookAlike(parsed.address);
    classify(parsed.address, NO_LISTS, null);
  }
}

const NO_LISTS = { disposable: () => null, privacyRelay: () => null } as unknown as Parameters<
  typeof classify
>[1];

function readContentType(text: string): void {
  const type = text.replace(/[\r\n\0]/g, ' ');
  try {
    streamedBody({ headers: { 'content-type': type } } as Request, bodyFormats({ json: '' }), 1);
  } catch {
    // None of these formats.
  }
}

function readKey(text: string): void {
  for (const key of [text, `"${text}`]) {
    try {
      parseIdempotencyKey(key);
    } catch {
      // None.
    }
  }
}

function dnsAnswers(): HostileAnswer[] {
  return QUESTIONS.flatMap((question) =>
    Object.entries(hostileAnswers(question)).map(([kind, message]) => ({
      kind: `${question.type}: ${kind}`,
      message,
      question,
    })),
  );
}

/** Processes an answer up to the mail hosts. */
async function readDns({ message, question }: HostileAnswer): Promise<void> {
  const packet = readMessage(message);
  if (packet === null || !isResponseTo(packet, question)) return;
  const reading = parseResponse(packet, question);
  if (reading.kind !== 'response' || reading.response.kind !== 'records') return;
  const { response } = reading;
  const dns = { mx: async () => ({ ...response, ageSeconds: 0, cached: false }) };
  await new DnsMxResolver(dns as unknown as DnsClient).resolve(
    'hostile.example',
    new AbortController().signal,
    { team: '', priority: 'single' },
  );
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

async function timeOfAsync(work: () => unknown): Promise<number> {
  const start = performance.now();
  const result = work();
  if (result instanceof Promise) await result;
  return performance.now() - start;
}

await measure();
