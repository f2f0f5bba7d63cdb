import { MalformedReport } from '../outcome-intake.errors.js';
import type { MailMessage, MailPart } from './mail-message.js';
import { partHeader, partText, type PartHeader } from './part-text.js';
import { blocksOf, type Fields } from './report-fields.js';

/**
 * A report is a few kilobytes, and the message that it returns stands at its end. Each byte is read a fixed number
 * of times, so a hostile message costs no more than one of this size.
 */
const MAX_BYTES = 1_000_000;
const MAX_HEADER_LENGTH = 200_000;
const MAX_PARTS = 100;
const MAX_DEPTH = 10;
/** Of a line with a boundary (RFC 2046 §5.1.1: 70 characters), with white space at its end. */
const MAX_BOUNDARY_LINE = 200;

/** The message that a report is about, or its header (RFC 6522 §4, RFC 5965 §2, RFC 6533 §6). */
export const RETURNED_MESSAGE =
  /^(?:message\/(?:rfc822|global|global-headers|partial)|text\/rfc822(?:-headers?)?)$/;

/** A message (RFC 5322, RFC 2045). @throws MalformedReport if it has no header, or is nested too deeply. */
export function parseMessage(bytes: Buffer): MailMessage {
  const text = bytes.toString('latin1', 0, MAX_BYTES).replace(/\r\n?/g, '\n').replace(/^\n+/, '');
  const [header, body] = headerAt(text, 0);
  if (header.size === 0) throw new MalformedReport();
  const parts = new PartReader(text, body).read(withBoundary(partHeader(header), text, body));
  return {
    header: (name) => header.get(name) ?? null,
    text: textForPeople(parts),
    parts,
  };
}

function textForPeople(parts: readonly MailPart[]): string {
  const ofType = (type: string) => parts.find((part) => part.type === type && part.text.trim() !== '')?.text;
  return ofType('text/plain') ?? ofType('text/html') ?? '';
}

/** @returns the fields, and where the body begins. */
function headerAt(text: string, start: number): [Fields, number] {
  // A part without fields begins with a blank line.
  const end = text[start] === '\n' ? start : text.indexOf('\n\n', start);
  const header = text.slice(start, Math.min(end < 0 ? text.length : end, start + MAX_HEADER_LENGTH));
  const bodyAt = end < 0 ? text.length : end + (end === start ? 1 : 2);
  return [blocksOf(header)[0] ?? new Map<string, string>(), bodyAt];
}

/** How far a boundary is looked for that the header does not name. */
const MAX_PREAMBLE = 4_000;
const DELIMITER = /^--(\S[^\n]{0,100})\n(?=content-)/im;

/**
 * The header of a message with the boundary that its body has: programs on the way rewrite the one, or the other, or take
 * the parts apart and leave one text.
 */
function withBoundary(header: PartHeader, text: string, body: number): PartHeader {
  const { type, boundary } = header;
  if (!type.startsWith('multipart/')) return header;
  if (boundary !== null && text.includes(`--${boundary.trimEnd()}`, body)) return header;
  const found = DELIMITER.exec(text.slice(body, body + MAX_PREAMBLE))?.[1];
  return found === undefined ? { ...header, type: 'text/plain' } : { ...header, boundary: found.trimEnd() };
}

interface Delimiter {
  /** Where the body before it ends. */
  at: number;
  /** Where the next part begins. */
  next: number;
  /** How many multiparts are open around the one that it belongs to. */
  depth: number;
  isLast: boolean;
}

/** Reads the parts in their order, up to the returned message: what is inside of that belongs to somebody else. */
class PartReader {
  /** Where each multipart that is open is in their order, by the line that separates its parts. */
  private readonly open = new Map<string, number>();
  private readonly parts: MailPart[] = [];

  constructor(
    private readonly text: string,
    private at: number,
  ) {}

  read(message: PartHeader): readonly MailPart[] {
    let header: PartHeader | null = this.enter(message);
    for (let count = 0; count < MAX_PARTS; count++) {
      const delimiter = this.nextDelimiter();
      if (header !== null) {
        const body = this.text.slice(this.at, delimiter?.at);
        this.parts.push({ type: header.type, text: partText(body, header) });
        if (RETURNED_MESSAGE.test(header.type)) break;
      }
      if (delimiter === null) break;
      header = this.pass(delimiter);
    }
    return this.parts;
  }

  /** @returns the header of the part after the delimiter; null: it has parts of its own, or there is none. */
  private pass({ next, depth, isLast }: Delimiter): PartHeader | null {
    for (const [line, ofLine] of this.open)
      if (ofLine > depth || (isLast && ofLine === depth)) this.open.delete(line);
    this.at = next;
    if (isLast) return null;
    const [fields, body] = headerAt(this.text, next);
    this.at = body;
    const header = partHeader(fields);
    return this.enter(header.boundary === null ? withBoundary(header, this.text, body) : header);
  }

  /** Opens a multipart. @returns the header of a part without parts of its own. */
  private enter(header: PartHeader): PartHeader | null {
    const { type, boundary } = header;
    if (!type.startsWith('multipart/') || boundary === null) return header;
    if (this.open.size === MAX_DEPTH) throw new MalformedReport();
    const line = `--${boundary.trimEnd()}`;
    // The same boundary again belongs to the outer multipart.
    if (!this.open.has(line)) this.open.set(line, this.open.size);
    return null;
  }

  private nextDelimiter(): Delimiter | null {
    if (this.open.size === 0) return null;
    for (let at = this.text.indexOf('\n--', this.at - 1); at >= 0; at = this.text.indexOf('\n--', at + 1)) {
      const end = this.text.indexOf('\n', at + 1);
      const next = end < 0 ? this.text.length : end + 1;
      if (next - at > MAX_BOUNDARY_LINE) continue;
      const line = this.text.slice(at + 1, next).trimEnd();
      const depth = this.open.get(line);
      if (depth !== undefined) return { at, next, depth, isLast: false };
      const ofLast = line.endsWith('--') ? this.open.get(line.slice(0, -2)) : undefined;
      if (ofLast !== undefined) return { at, next, depth: ofLast, isLast: true };
    }
    return null;
  }
}
