import { isUtf8 } from 'node:buffer';
import { smtpReply, type SmtpReply } from '../../replies/smtp-reply.js';

/** RFC 5321 §4.5.3.1.5 allows 512 octets; some servers send more. */
const MAX_LINE = 4_096;
const MAX_LINES = 128;
const MAX_REPLY = 32_768;

/** Lines without a code that are skipped before or inside one reply. */
const MAX_SKIPPED = 16;

/** Some servers put a tab behind the code. */
const LINE = /^([2-5]\d\d)(?:([ \t-])(.*))?$/s;
const BLANK = /^[\t ]*$/;
const BEGINS_WITH_CODE = /^\d{3}/;
const NEXT_LINE = /^[2-5]\d\d(?:[ \t\r\n-]|$)/;
const LF = 0x0a;
const CR = 0x0d;
const NUL = 0x00;

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
  private skipped = 0;
  /** CR and NUL before a line. */
  private ignored = 0;
  /** A CR ended the last line before its LF arrived, which then ends no other line. */
  private endedAtCr = false;
  /** A line with a code was read: the server speaks SMTP. */
  private hasCode = false;
  private readonly replies: SmtpReply[] = [];

  /**
   * @param maySkip lines without a code are ignored, as programs that send mail do. Only while at most one command
   * is unanswered: such a line might stand for the reply to one of several.
   * @throws UnreadableReply
   */
  push(octets: Buffer, maySkip = true): void {
    let from = 0;
    for (let at = 0; at < octets.length; at++) {
      const isLf = octets[at] === LF;
      if (!isLf && !endsLine(octets, at)) continue;
      const isOwnLf = !(isLf && this.endedAtCr && at === from && this.pendingLength === 0);
      this.keep(octets.subarray(from, at));
      if (isLf ? isOwnLf : this.pendingLength > 0) {
        this.endLine(maySkip);
        this.endedAtCr = !isLf;
      }
      if (isLf) this.endedAtCr = false;
      from = at + 1;
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

  /** What ends no line of its own is no begin of one: the CR of LF CR, and NUL. */
  private keep(octets: Buffer): void {
    let from = 0;
    if (this.pendingLength === 0) while (isPadding(octets[from])) from += 1;
    this.ignored += from;
    this.pendingLength += octets.length - from;
    if (this.pendingLength + this.ignored > MAX_LINE) throw new UnreadableReply('a line is too long');
    if (from < octets.length) this.pending.push(octets.subarray(from));
  }

  /** A line ends at LF, with or without CR: some servers send a bare LF, LF CR, or a bare CR. */
  private endLine(maySkip: boolean): void {
    const octets = Buffer.concat(this.pending);
    this.pending.length = 0;
    this.pendingLength = 0;
    this.ignored = 0;
    this.replyLength += octets.length;

    const line = decode(withoutReturns(octets));
    const [, digits, separator, rest = ''] = LINE.exec(line) ?? [];
    if (digits === undefined) return this.skip(line, maySkip);
    this.hasCode = true;
    this.code = this.codeAfter(Number(digits));
    this.lines.push(rest);
    if (this.lines.length > MAX_LINES || this.replyLength > MAX_REPLY)
      throw new UnreadableReply('a reply is too long');
    if (separator !== '-') this.endReply(this.code);
  }

  /** Text is skipped only after a reply, so that other protocols are noticed at once. */
  private skip(line: string, maySkip: boolean): void {
    const isIgnored = BLANK.test(line) || (this.hasCode && !BEGINS_WITH_CODE.test(line));
    this.skipped += 1;
    if (!maySkip || !isIgnored || this.skipped > MAX_SKIPPED)
      throw new UnreadableReply('a line does not begin with a reply code');
  }

  /**
   * The lines of a reply should have one code; of several of one class, that of the last line counts (RFC 5321 §4.2.1).
   * postscreen starts a greeting with 220 and then rejects a listed client. Any other change of the code is a protocol
   * error.
   */
  private codeAfter(next: number): number {
    const { code } = this;
    const isSameClass = code !== null && Math.floor(code / 100) === Math.floor(next / 100);
    if (code === null || isSameClass || (code === 220 && next >= 400)) return next;
    throw new UnreadableReply('the code changed inside a reply');
  }

  private endReply(code: number): void {
    this.replies.push(smtpReply(code, this.lines));
    this.code = null;
    this.lines = [];
    this.replyLength = 0;
    this.skipped = 0;
    if (this.replies.length > MAX_LINES) throw new UnreadableReply('unsolicited replies');
  }
}

/**
 * Whether a CR or NUL ends the line: one before LF is part of that end, one between words is part of the text. It ends
 * the line before the code of the next one, or where nothing follows.
 */
function endsLine(octets: Buffer, at: number): boolean {
  if (!isPadding(octets[at])) return false;
  return octets[at + 1] === undefined || NEXT_LINE.test(octets.toString('latin1', at + 1, at + 5));
}

function isPadding(octet: number | undefined): boolean {
  return octet === CR || octet === NUL;
}

function withoutReturns(line: Buffer): Buffer {
  let end = line.length;
  while (end > 0 && isPadding(line[end - 1])) end -= 1;
  return line.subarray(0, end);
}

/** Reply texts are ASCII, or UTF-8 (RFC 6531 §3.7.4); older servers send Latin-1. */
function decode(octets: Buffer): string {
  return octets.toString(isUtf8(octets) ? 'utf8' : 'latin1');
}
