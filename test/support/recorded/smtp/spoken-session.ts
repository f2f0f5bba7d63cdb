import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Dialogue } from './dialogues.js';
import type { SpokenLine } from './recording.js';

/** A reply that does not come is recorded as none. */
const PATIENCE_MS = 8_000;
const MESSAGE = 'Subject: Hello\r\n\r\nHello\r\n.\r\n';

/** Holds a dialogue with a mail server on 127.0.0.1. */
export async function hold(port: number, { says, beside = 0 }: Dialogue): Promise<SpokenLine[]> {
  const others = Array.from({ length: beside }, () => new SpokenSession(port));
  for (const other of others) await other.replies(1);
  const session = new SpokenSession(port);
  await session.replies(1);
  for (const said of says) {
    if (session.isOver) break;
    if (said === 'TLS') await session.encrypt();
    else await session.say(typeof said === 'string' ? [said] : said);
  }
  await session.replies(1);
  session.end();
  for (const other of others) other.end();
  return session.lines;
}

/** A connection and what was said in it. */
class SpokenSession {
  readonly lines: SpokenLine[] = [];
  isOver = false;
  private unread = '';
  private complete = 0;
  private socket: Socket;
  private heard = () => undefined as void;

  constructor(to: number) {
    this.socket = connect(to, '127.0.0.1');
    this.listen();
  }

  /** Waits for as many replies; fewer come from a server that has closed. */
  async replies(count: number): Promise<void> {
    const until = this.complete + count;
    const deadline = Date.now() + PATIENCE_MS;
    while (this.complete < until && !this.isOver && Date.now() < deadline)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100);
        this.heard = () => {
          clearTimeout(timer);
          resolve();
        };
      });
  }

  async say(lines: readonly string[]): Promise<void> {
    for (const line of lines) this.lines.push(['C', line]);
    this.socket.write(`${lines.join('\r\n')}\r\n`);
    await this.replies(lines.length);
    if (lines[0] !== 'DATA' || this.lines.at(-1)?.[1]?.startsWith('354') !== true) return;
    this.lines.push(
      ...MESSAGE.trimEnd()
        .split('\r\n')
        .map((line): SpokenLine => ['C', line]),
    );
    this.socket.write(MESSAGE);
    await this.replies(1);
  }

  /** Begins TLS, if the server is ready. */
  async encrypt(): Promise<void> {
    if (this.lines.at(-1)?.[1]?.startsWith('220') !== true) return;
    this.socket.removeAllListeners();
    const secure = connectTls({ socket: this.socket, rejectUnauthorized: false });
    await once(secure, 'secureConnect');
    this.lines.push(['C', 'TLS']);
    this.socket = secure;
    this.listen();
  }

  end(): void {
    this.socket.destroy();
  }

  private listen(): void {
    this.socket.on('data', (octets: Buffer) => this.receive(octets.toString('utf8')));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      if (!this.isOver) this.lines.push(['S', null]);
      this.isOver = true;
      this.heard();
    });
  }

  private receive(text: string): void {
    const lines = (this.unread + text).split('\r\n');
    this.unread = lines.pop()!;
    for (const line of lines) {
      this.lines.push(['S', stable(line)]);
      if (!/^\d{3}-/.test(line)) this.complete++;
    }
    this.heard();
  }
}

/** Without what each run makes anew: times and identifiers of messages. */
function stable(line: string): string {
  return line
    .replace(/\w{3}, \d{1,2} \w{3} \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}/, 'Thu, 01 Jan 2026 00:00:00 +0000')
    .replace(/queued as \w+/, 'queued as 4XyZ12345678')
    .replace(/id=\w{6}-\w{6,11}-\w{2,4}/, 'id=1vABCD-000001-2x')
    .replace(/\b[0-9a-f]{8} Message accepted/, '01234567 Message accepted');
}
