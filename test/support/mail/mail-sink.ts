import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The raw message: headers, an empty line, the body. */
  source: string;
}

/** An SMTP server that stores received mails and emits `mail`. It can be closed and reopened. */
export class MailSink extends EventEmitter {
  readonly received: ReceivedMail[] = [];
  /** Addresses without a mailbox. */
  readonly refused = new Set<string>();
  private server: SMTPServer | null = null;
  private port = 0;

  static async start(): Promise<MailSink> {
    const sink = new MailSink();
    await sink.open();
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Accepts mail, on the same port as before. */
  async open(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _, done) =>
        done(
          this.refused.has(address)
            ? Object.assign(new Error('No such mailbox'), { responseCode: 550 })
            : null,
        ),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          this.received.push({
            from: mailFrom === false ? '' : (mailFrom?.address ?? ''),
            to: rcptTo.map(({ address }) => address),
            source: Buffer.concat(chunks).toString(),
          });
          done();
          this.emit('mail');
        });
      },
    });
    server.listen(this.port, '127.0.0.1');
    await once(server.server, 'listening');
    this.port = (server.server.address() as AddressInfo).port;
    this.server = server;
  }

  async close(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (server !== null) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  /** The decoded text of the last mail (RFC 2045 §6.7). */
  lastText(): string {
    return this.texts().at(-1) ?? '';
  }

  /** The decoded texts of all mails. */
  texts(): string[] {
    return this.received.map(({ source }) => textOf(source));
  }
}

function textOf(source: string): string {
  return source
    .slice(source.indexOf('\r\n\r\n'))
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
