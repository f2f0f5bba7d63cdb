/** As the service reads at most. */
const MAX_MESSAGE_BYTES = 5_000_000;
/** A line that separates messages is shorter. */
const MAX_LINE_BYTES = 10_000;
const LINE_FEED = 0x0a;
/** `From sender Mon Nov 16 10:20:30 2026`; other lines of a text may begin with `From`. */
const SEPARATOR = /^From [^\r\n]*\d\d:\d\d/;

class MessageBuffer {
  private pieces: Buffer[] = [];
  private size = 0;

  add(piece: Buffer): void {
    this.size += piece.length;
    if (this.size > MAX_MESSAGE_BYTES) this.pieces = [];
    else this.pieces.push(piece);
  }

  /** @returns null: it is too large; nothing if it is empty. */
  *dequeue(): Generator<Buffer | null> {
    if (this.size > 0) yield this.size > MAX_MESSAGE_BYTES ? null : Buffer.concat(this.pieces);
    this.pieces = [];
    this.size = 0;
  }
}

/** The one message of a file; null: it is too large. */
export async function* singleMessage(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  const message = new MessageBuffer();
  for await (const chunk of bytes) message.add(chunk);
  yield* message.dequeue();
}

/** The messages of an mbox (RFC 4155); null: a message is too large. */
export async function* messagesOfMbox(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  const message = new MessageBuffer();
  let rest: Buffer = Buffer.alloc(0);
  let isLineStart = true;
  for await (const chunk of bytes) {
    const text = Buffer.concat([rest, chunk]);
    const end = text.lastIndexOf(LINE_FEED) + 1 || (text.length > MAX_LINE_BYTES ? text.length : 0);
    yield* completed(message, text.subarray(0, end), isLineStart);
    if (end > 0) isLineStart = text[end - 1] === LINE_FEED;
    rest = text.subarray(end);
  }
  yield* completed(message, rest, isLineStart);
  yield* message.dequeue();
}

/** Adds lines to the message. @returns the messages that end in them. */
function* completed(message: MessageBuffer, lines: Buffer, isLineStart: boolean): Generator<Buffer | null> {
  let from = 0;
  let at = isLineStart ? 0 : nextLine(lines, 0);
  while (at < lines.length) {
    const end = nextLine(lines, at);
    if (SEPARATOR.test(lines.toString('latin1', at, Math.min(end, at + MAX_LINE_BYTES)))) {
      message.add(lines.subarray(from, at));
      yield* message.dequeue();
      from = end;
    }
    const found = lines.indexOf('\nFrom ', end - 1);
    at = found === -1 ? lines.length : found + 1;
  }
  message.add(lines.subarray(from));
}

/** Where the next line begins, or the text ends. */
function nextLine(text: Buffer, from: number): number {
  return text.indexOf(LINE_FEED, from) + 1 || text.length;
}
