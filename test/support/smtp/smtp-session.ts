import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { HANG_UP, type Reaction, type SmtpBehaviour } from './smtp-behaviours.js';
import type { SmtpServer } from './smtp-server.js';

const NESTED_MAIL = '503 5.5.1 Error: nested MAIL command';
/** Postfix names it after PIPELINING, SIZE, VRFY and ETRN. */
const STARTTLS_PLACE = 4;

/** The session of one client with a scripted server. */
export class SmtpSession {
  private secure = false;
  private client = '';
  private sender = '';
  private hasSender = false;
  private transaction = 0;
  private nth = 0;
  private unread = '';
  /** Reactions run in order, also for pipelined commands. */
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly server: SmtpServer,
    private readonly behaviour: SmtpBehaviour,
    private socket: Socket,
  ) {}

  begin(): void {
    this.listen();
    this.inTurn(() => this.react(this.behaviour.banner));
  }

  private listen(): void {
    this.socket.on('error', () => undefined);
    this.socket.on('data', (octets: Buffer) => this.receive(octets.toString('utf8')));
  }

  private receive(text: string): void {
    const lines = (this.unread + text).split('\r\n');
    this.unread = lines.pop() ?? '';
    for (const line of lines) {
      this.server.record(line);
      this.inTurn(() => this.obey(line));
    }
  }

  private inTurn(act: () => Promise<void>): void {
    // The client may disconnect at any time; unsent replies are not an error.
    this.turn = this.turn.then(act).catch(() => undefined);
  }

  private async obey(line: string): Promise<void> {
    const { behaviour } = this;
    const verb = /^[A-Z]+/i.exec(line)?.[0].toUpperCase() ?? '';
    switch (verb) {
      case 'EHLO':
        this.greeted(line);
        return this.react(behaviour.ehlo ?? this.welcome());
      case 'HELO':
        this.greeted(line);
        return this.react(behaviour.helo);
      case 'STARTTLS':
        return this.startTls();
      case 'MAIL':
        return this.react(this.hasSender ? NESTED_MAIL : this.mail(pathOf(line)));
      case 'RCPT':
        return this.react(this.hasSender ? this.recipient(pathOf(line)) : this.behaviour.noSender);
      case 'RSET':
        this.hasSender = false;
        return this.react(behaviour.rset);
      case 'QUIT':
        return this.react(['221 2.0.0 Bye', HANG_UP]);
      default:
        return this.react('500 5.5.2 Error: command not recognized');
    }
  }

  private greeted(line: string): void {
    this.client = line.slice(5);
    this.hasSender = false;
  }

  private mail(sender: string): Reaction {
    this.sender = sender;
    this.transaction += 1;
    this.nth = 0;
    const reaction = this.behaviour.mail({ sender, client: this.client, secure: this.secure });
    // A reply that comes late or in parts is not looked at.
    this.hasSender = typeof reaction !== 'string' || reaction.startsWith('2');
    return reaction;
  }

  private welcome(): string {
    const isOffered = this.behaviour.startTls !== 'absent' && !this.secure;
    const { extensions } = this.behaviour;
    const keywords = isOffered ? extensions.toSpliced(STARTTLS_PLACE, 0, 'STARTTLS') : extensions;
    const lines = ['mx.test', ...keywords];
    return lines.map((line, index) => `250${index === lines.length - 1 ? ' ' : '-'}${line}`).join('\n');
  }

  private recipient(recipient: string): Reaction {
    this.nth += 1;
    const triplet = `${this.sender} ${recipient}`;
    const seen = this.server.triplets.get(triplet) ?? { times: 0, firstMs: performance.now() };
    const times = ++seen.times;
    const sinceMs = performance.now() - seen.firstMs;
    this.server.triplets.set(triplet, seen);
    const { sender, client, transaction, nth, secure } = this;
    const localPart = recipient.slice(0, recipient.lastIndexOf('@'));
    return this.behaviour.rcpt({
      recipient,
      localPart,
      sender,
      client,
      transaction,
      nth,
      times,
      sinceMs,
      secure,
    });
  }

  private async startTls(): Promise<void> {
    switch (this.behaviour.startTls) {
      case 'absent':
        return this.react('502 5.5.1 Error: command not implemented');
      case 'refused':
        return this.react('454 4.7.0 TLS not available due to local problem');
      case 'broken':
        return this.react(['220 2.0.0 Ready to start TLS', { raw: 'this is no handshake\r\n' }, HANG_UP]);
      case 'injecting':
        await this.react({ raw: '220 2.0.0 Ready to start TLS\r\n250 2.1.5 Ok\r\n' });
        return this.encrypt();
      case 'offered':
        await this.react('220 2.0.0 Ready to start TLS');
        return this.encrypt();
    }
  }

  private async encrypt(): Promise<void> {
    const plain = this.socket.removeAllListeners('data');
    this.unread = '';
    const secured = new TLSSocket(plain, { isServer: true, ...this.server.certificate });
    this.socket = secured;
    this.listen();
    await once(secured, 'secure');
    this.secure = true;
  }

  private async react(reaction: Reaction): Promise<void> {
    if (typeof reaction === 'string') return this.say(`${reaction.replaceAll('\n', '\r\n')}\r\n`);
    if ('act' in reaction) return this.act(reaction.act);
    if ('raw' in reaction) return this.say(reaction.raw);
    if ('afterMs' in reaction) {
      await pause(reaction.afterMs);
      return this.react(reaction.then);
    }
    if ('drip' in reaction) return this.drip(`${reaction.drip}\r\n`, reaction.everyMs);
    if ('endless' in reaction) return this.sayForEver(reaction.endless);
    for (const next of reaction) await this.react(next);
  }

  private act(act: 'nothing' | 'close' | 'reset'): void {
    if (act === 'close') this.socket.end();
    if (act === 'reset') this.socket.resetAndDestroy();
  }

  private async say(text: string): Promise<void> {
    if (!this.socket.writable) return;
    if (!this.socket.write(text))
      await Promise.race([once(this.socket, 'drain'), once(this.socket, 'close')]);
  }

  private async drip(text: string, everyMs: number): Promise<void> {
    for (const octet of text) {
      if (!this.socket.writable) return;
      await this.say(octet);
      await pause(everyMs);
    }
  }

  private async sayForEver(text: string): Promise<void> {
    while (this.socket.writable) {
      await this.say(text);
      // Yields to the event loop, so that input of the client is processed.
      await pause(0);
    }
  }
}

/** The path in angle brackets of MAIL and RCPT; a quoted local part may contain `>`. */
function pathOf(line: string): string {
  return line.slice(line.indexOf('<') + 1, line.lastIndexOf('>'));
}
