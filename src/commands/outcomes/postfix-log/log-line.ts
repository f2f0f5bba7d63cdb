import { printable } from '../../../kernel/text/printable.js';
import { nonGlobalRange } from '../../../platform/net/address-policy.js';
import { timeOfLine } from './log-time.js';

/** Why a line reports nothing. */
export const SKIPPED = {
  deferred: 'not final: Postfix tries again, or gave up after temporary failures',
  own_network: 'delivered here, to a filter, or to a relay on another port than 25 or in the own network',
  no_reply: 'returned without a reply of a server about the recipient',
  incomplete: 'a delivery whose line is cut off or cannot be read',
  too_long: 'longer than 16 KB',
  other: 'about no delivery',
} as const;
export type Skipped = keyof typeof SKIPPED;

/** A member of `POST /v1/outcomes`. */
export interface LogOutcome {
  email: string;
  outcome: 'delivered' | 'bounced';
  at: string;
  message_id: string;
  reply?: string;
}

/** As `POST /v1/outcomes` takes it. */
const MAX_REPLY = 1_000;
const TIME = String.raw`[A-Z][a-z]{2} {1,2}\d{1,2} [\d:.]{8,20}|\d{4}-\d\d-\d\d[T ][\d:.]{8,20}(?:Z|[+-]\d\d:?\d\d)`;
/** `<22>` is the priority of the protocol, `[ID …]` that of Solaris. The name of an instance or a service precedes the program. */
const LINE = new RegExp(
  String.raw`^(?:<\d{1,3}>)?(?<time>${TIME}) \S{1,255} (?:[\w.-]{1,64}/){1,4}(?<program>[\w-]{1,32})(?:\[\d{1,10}\])?: (?:\[ID \d{1,10} [\w.]{1,32}\] )?(?<id>[0-9A-Za-z]{5,40}): (?<rest>.*)$`,
);
/** A local part may be quoted, and have any character then. */
const RECIPIENT = /^to=<(?<email>(?:"(?:[^"\\]|\\.){0,400}"@)?[^<>"]{1,400})>, (?<rest>.*)$/;
const ORIGINAL = /^orig_to=<(?:"(?:[^"\\]|\\.){0,400}")?[^<>"]{0,400}>, /;
/** A cut line ends anywhere; Postfix up to 2.2 writes no port and no dsn. */
const STATUS =
  /^relay=(?<relay>[^,]{1,600}), (?:(?!status=)[a-z_]{1,20}=[^,]{0,100}, ){0,12}status=(?<status>[a-z-]{1,20})(?: \((?<text>.*))?$/;
const RELAY = /^[^[\]]{1,255}\[(?<ip>[\da-fA-F:.]{2,45})\](?::(?<port>\d{1,5}))?$/;
/** A reply to other commands is about the sender or about us. */
const SAID =
  /^host \S{1,300} said: (?<reply>[45]\d\d.*) \(in reply to (?:RCPT TO|DATA|end of DATA|BDAT) command\)\)$/;
/** Of `qmgr`, for all recipients of a message that are left. */
const EXPIRED = /^from=<.{0,400}>, status=(?:force-)?expired\b/;
const OWN_RANGES = [
  'private',
  'loopback',
  'link-local',
  'link-local, cloud metadata',
  'unique local',
  'site-local',
  'carrier-grade NAT',
];
const SMTP_PORT = 25;

/**
 * What a line of a log of Postfix says about a delivery.
 *
 * @param latest the line was written until then.
 */
export function readLine(line: string, latest: Date): LogOutcome | Skipped {
  const { time = '', program = '', id = '', rest = '' } = LINE.exec(line)?.groups ?? {};
  if (EXPIRED.test(rest)) return 'deferred';
  if (!rest.startsWith('to=<')) return 'other';
  const { email = '', rest: after = '' } = RECIPIENT.exec(rest)?.groups ?? {};
  const { relay = '', status = '', text = '' } = STATUS.exec(after.replace(ORIGINAL, ''))?.groups ?? {};
  const at = timeOfLine(time, latest);
  if (email === '' || relay === '' || at === null) return 'incomplete';
  if (status === 'deferred' || status === 'expired') return 'deferred';
  // The answers of address verification are no deliveries.
  if (status !== 'sent' && status !== 'bounced')
    return 'sent'.startsWith(status) || 'bounced'.startsWith(status) ? 'incomplete' : 'other';
  if (relay === 'none') return 'no_reply';
  if (program !== 'smtp' || !isElsewhere(relay)) return 'own_network';
  const outcome = { email: quotedAddress(email), at: at.toISOString(), message_id: id };
  if (status === 'sent') return { ...outcome, outcome: 'delivered' };
  const reply = SAID.exec(text)?.groups?.reply;
  if (reply === undefined) return text.endsWith(')') ? 'no_reply' : 'incomplete';
  return { ...outcome, outcome: 'bounced', reply: printable(reply).slice(0, MAX_REPLY) };
}

/** Postfix up to 3.4 logs a local part without its quotes. */
function quotedAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const localPart = email.slice(0, at);
  if (at === -1 || localPart.startsWith('"') || !/[\s(),:;@[\\\]]/.test(localPart)) return email;
  return `"${localPart.replaceAll('\\', '\\\\')}"${email.slice(at)}`;
}

/** Whether a relay is the mail server of a domain, not a filter or a relay of this installation. */
function isElsewhere(relay: string): boolean {
  const { ip = '', port = SMTP_PORT } = RELAY.exec(relay)?.groups ?? {};
  return ip !== '' && Number(port) === SMTP_PORT && !OWN_RANGES.includes(nonGlobalRange(ip) ?? '');
}
