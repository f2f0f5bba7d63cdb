import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ACCEPTED, unknownUser } from '../smtp-dialogue.js';
import type { Trial } from './plan.js';

export interface TrialCounts {
  sessions: number;
  /** Sessions above the total. */
  rejected: number;
  mostAtOnce: number;
  /** Above the total, after the first rejection of a trial. */
  excess: number;
}

/** How a server treats one session. */
type Manner = 'plain' | 'late_fin' | 'busy' | 'no_bye' | 'refusing' | 'silent' | 'slow' | 'dropping';
const MANNERS: readonly (readonly [Manner, number])[] = [
  ['plain', 0.5],
  ['late_fin', 0.12],
  ['busy', 0.12],
  ['no_bye', 0.05],
  ['refusing', 0.05],
  ['silent', 0.03],
  ['slow', 0.08],
  ['dropping', 0.05],
];

/**
 * The servers of one trial. A session counts from its connection until the server has seen the FIN of the client,
 * or has sent its own.
 */
export class TrialServers {
  readonly counts: TrialCounts = { sessions: 0, rejected: 0, mostAtOnce: 0, excess: 0 };
  private open = 0;
  private readonly servers: Server[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly busy = new WeakMap<Socket, Promise<unknown>>();

  constructor(
    private readonly trial: Trial,
    private readonly random: () => number,
    /** What the sessions of a trial show in order. */
    private readonly log: (event: string) => void = () => undefined,
  ) {}

  async listen(port: number): Promise<number> {
    for (const host of this.trial.ips) {
      const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => this.take(socket));
      server.listen({ port, host });
      await once(server, 'listening');
      this.servers.push(server);
      ({ port } = server.address() as AddressInfo);
    }
    return port;
  }

  close(): void {
    for (const server of this.servers) server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private take(socket: Socket): void {
    const { counts, trial } = this;
    const manner = this.manner();
    const id = ++counts.sessions;
    this.open += 1;
    this.sockets.add(socket);
    counts.mostAtOnce = Math.max(counts.mostAtOnce, this.open);
    this.log(`+${id} ${manner} of ${socket.remotePort}: ${this.open} of ${trial.total}`);
    const isAbove = this.open > trial.total;
    if (isAbove && (trial.isKnown || counts.rejected > 0))
      counts.excess = Math.max(counts.excess, this.open - trial.total);
    if (isAbove) counts.rejected += 1;
    const ended = (event: string) => {
      if (!this.sockets.delete(socket)) return;
      this.open -= 1;
      this.log(`-${id} ${event}: ${this.open}`);
    };
    socket.on('error', () => undefined).on('finish', () => ended('own end'));
    // A paused socket emits the end of the client nevertheless.
    const seen = () =>
      void (this.busy.get(socket) ?? Promise.resolve()).then(() => (ended('end'), socket.end()));
    socket.on('end', seen).on('close', seen);
    if (isAbove) socket.resume().end('421 4.7.0 mx Error: too many connections\r\n');
    else this.converse(socket, manner);
  }

  private manner(): Manner {
    let left = this.random();
    for (const [manner, share] of MANNERS) if ((left -= share) < 0) return manner;
    return 'plain';
  }

  private converse(socket: Socket, manner: Manner): void {
    const later = (text: string, ms = 1 + 3 * this.random()) =>
      setTimeout(() => socket.writable && socket.write(text), ms);
    if (manner === 'silent') return void socket.resume();
    later(manner === 'refusing' ? '554 5.7.1 mx no service\r\n' : '220 mx ESMTP\r\n');
    if (manner === 'refusing') return void socket.resume();
    let unread = '';
    let recipients = 0;
    socket.setEncoding('latin1').on('data', (text: string) => {
      const lines = (unread + text).split('\r\n');
      unread = lines.pop() ?? '';
      for (const line of lines) {
        const verb = line.slice(0, 4).toUpperCase();
        if (verb === 'QUIT') return this.bye(socket, manner);
        if (verb === 'RCPT') recipients += 1;
        if (manner === 'dropping' && recipients === 4) return void socket.end();
        later(`${replyTo(verb, line)}\r\n`, manner === 'slow' && verb === 'RCPT' ? 700 * this.random() : 2);
      }
    });
  }

  private bye(socket: Socket, manner: Manner): void {
    const ms = 50 + 500 * this.random();
    if (manner === 'no_bye') return;
    socket.write('221 2.0.0 Bye\r\n');
    if (manner === 'late_fin') setTimeout(() => socket.end(), ms);
    else if (manner === 'busy') {
      // It does not see the end of the client meanwhile.
      this.busy.set(socket, pause(ms));
    } else socket.end();
  }
}

function replyTo(verb: string, line: string): string {
  if (verb === 'EHLO') return '250-mx\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES';
  if (verb === 'RCPT') return /-\d*[02468]@/.test(line) ? ACCEPTED : unknownUser(line);
  return '250 2.0.0 Ok';
}
