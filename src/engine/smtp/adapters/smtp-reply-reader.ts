import { isUtf8 } from 'node:buffer';
import { smtpReply, type SmtpReply } from '../../replies/smtp-reply.js';

/** RFC 5321 §4.5.3.1.5 allows 512 octets; some servers send more. */
const MAX_LINE = 4_096;
const MAX_LINES = 128;
const MAX_REPLY = 32_768;

const LINE = /^([2-5]\d\d)(?:([ -])(.*))?$/s;
const LF = 0x0a;
const CR = 0x0d;

/** The data is no SMTP reply, or exceeds the limits. */
export class UnreadableReply extends Error {}

/**
 * Parses a server's octets into replies. A reply is complete with the line whose code is followed by a
 * space (RFC 5321 §4.2.1): the early lines of a greeting, as postscreen's `220-`, belong to the same
 * reply.
 */
export class SmtpReplyReader {
  private readonly pending: Buffer[] = [];
  private pendingLength = 0;
  private code: number | null = null;
  private lines: string[] = [];
  private replyLength = 0;
  private readonly replies: SmtpReply[] = [];

  /** @throws UnreadableReply */
  push(octets: Buffer): void {
    let from = 0;
    for (let end = octets.indexOf(LF); end !== -1; end = octets.indexOf(LF, from)) {
      this.keep(octets.subarray(from, end));
      this.endLine();
      from = end + 1;
    }
    this.keep(octets.subarray(from));
  }

  dequeue(): SmtpReply | null {
    return this.replies.shift() ?? null;
  }

  peek(): SmtpReply | null {
    return this.replies[0] ?? null;
  }

  /** Whether there are octets that belong to no returned reply. */
  get hasUnread(): boolean {
    return this.replies.length > 0 || this.code !== null || this.pendingLength > 0;
  }

  private keep(octets: Buffer): void {
    this.pendingLength += octets.length;
    if (this.pendingLength > MAX_LINE) throw new UnreadableReply('a line is too long');
    if (octets.length > 0) this.pending.push(octets);
  }

  /** A line ends at LF, with or without CR: some servers send a bare LF. */
  private endLine(): void {
    const octets = Buffer.concat(this.pending);
    this.pending.length = 0;
    this.pendingLength = 0;
    this.replyLength += octets.length;

    const [, digits, separator, rest = ''] = LINE.exec(decode(withoutReturns(octets))) ?? [];
    if (digits === undefined) throw new UnreadableReply('a line does not begin with a reply code');
    this.code = this.codeAfter(Number(digits));
    this.lines.push(rest);
    if (this.lines.length > MAX_LINES || this.replyLength > MAX_REPLY)
      throw new UnreadableReply('a reply is too long');
    if (separator !== '-') this.endReply(this.code);
  }

  /**
   * postscreen starts a greeting with 220 and then rejects a listed client. Any other change of the
   * code is a protocol error.
   */
  private codeAfter(next: number): number {
    if (this.code === null || this.code === next || (this.code === 220 && next >= 400)) return next;
    throw new UnreadableReply('the code changed inside a reply');
  }

  private endReply(code: number): void {
    this.replies.push(smtpReply(code, this.lines));
    this.code = null;
    this.lines = [];
    this.replyLength = 0;
    if (this.replies.length > MAX_LINES) throw new UnreadableReply('unsolicited replies');
  }
}

function withoutReturns(line: Buffer): Buffer {
  let end = line.length;
  while (end > 0 && line[end - 1] === CR) end -= 1;
  return line.subarray(0, end);
}

/** Reply texts are ASCII, or UTF-8 (RFC 6531 §3.7.4.2); older servers send Latin-1. */
function decode(octets: Buffer): string {
  return octets.toString(isUtf8(octets) ? 'utf8' : 'latin1');
}
