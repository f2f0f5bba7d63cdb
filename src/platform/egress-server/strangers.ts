import type { Socket } from 'node:net';
import type { Clock } from '../../kernel/clock.js';
import { FairQueue } from '../../kernel/concurrency/fair-queue.js';
import { HandshakePace } from './egress-bounds.js';

/** Connections of all networks that have not logged in lately. */
const MAX_STRANGERS = 300;
/** Handshakes and logins of one network in progress. */
const PER_NETWORK = 10;
/** A client gives up after its own timeout, so it is told before. */
const MAX_WAIT_MS = 5_000;

interface Stranger {
  readonly client: Socket;
  readonly network: string;
  state: 'silent' | 'waiting' | 'begun';
  begin(): void;
}

/**
 * The connections before their login. The network with the most gives way, its silent ones first, and networks
 * take turns with handshakes, so that none can shut out another.
 */
export class Strangers {
  /** The oldest first. */
  private readonly all = new Map<string, Stranger>();
  private readonly queue = new FairQueue<Stranger>();
  private readonly pace = new HandshakePace();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.all.size;
  }

  /** @returns false: too many are connected, most of them of this network. */
  add(id: string, client: Socket, network: string): boolean {
    // One whose end was not noticed yet, if its port is used again.
    const former = this.all.get(id)?.client;
    this.remove(id);
    former?.destroy();
    if (this.all.size >= MAX_STRANGERS && !this.makeRoom(network)) return false;
    this.all.set(id, { client, network, state: 'silent', begin: () => undefined });
    client.once('close', () => {
      if (this.all.get(id)?.client === client) this.remove(id);
    });
    return true;
  }

  /** Resolves when the handshake may begin. The connection is closed if that takes too long. */
  async turnOf(id: string): Promise<void> {
    const stranger = this.all.get(id);
    if (stranger === undefined) return;
    const { client } = stranger;
    stranger.state = 'waiting';
    // A socket that nobody reads does not notice that its client has gone.
    const watch = () => undefined;
    client.on('readable', watch);
    const timer = setTimeout(() => client.destroy(), MAX_WAIT_MS);
    await new Promise<void>((resolve) => {
      stranger.begin = () => {
        stranger.state = 'begun';
        resolve();
      };
      this.queue.add(requesterOf(stranger), stranger);
      this.serve();
    });
    clearTimeout(timer);
    client.off('readable', watch);
  }

  remove(id: string): void {
    const stranger = this.all.get(id);
    if (stranger === undefined) return;
    this.all.delete(id);
    this.queue.remove(requesterOf(stranger), stranger);
    stranger.begin();
    this.serve();
  }

  /** One of the network has logged in: all of its handshakes begin. */
  admitAll(network: string): void {
    for (const stranger of this.all.values())
      if (stranger.network === network && this.queue.remove(requesterOf(stranger), stranger))
        stranger.begin();
  }

  close(): void {
    clearTimeout(this.timer);
    for (const { client } of this.all.values()) client.destroy();
  }

  private serve(): void {
    clearTimeout(this.timer);
    const isEligible = ({ team }: { team: string }) => this.countOf(team, 'begun') < PER_NETWORK;
    while (this.queue.nextKey(isEligible) !== null) {
      const waitMs = this.pace.tryConsume(this.clock.monotonicMs());
      if (waitMs > 0) {
        this.timer = setTimeout(() => this.serve(), waitMs).unref();
        return;
      }
      this.queue.dequeue(isEligible)?.begin();
    }
  }

  /** Closes the oldest connection of the network with the most, a silent one if it has any. */
  private makeRoom(newcomer: string): boolean {
    const counts = new Map<string, number>();
    for (const { network } of this.all.values()) counts.set(network, (counts.get(network) ?? 0) + 1);
    const [most, count] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best));
    const ofMost = [...this.all].filter(([, { network }]) => network === most);
    const silent = ofMost.find(([, { state }]) => state === 'silent');
    if (silent === undefined && count <= (counts.get(newcomer) ?? 0) + 1) return false;
    const [id, { client }] = silent ?? ofMost[0]!;
    this.remove(id);
    client.destroy();
    return true;
  }

  private countOf(network: string, state: Stranger['state']): number {
    let count = 0;
    for (const stranger of this.all.values())
      if (stranger.network === network && stranger.state === state) count += 1;
    return count;
  }
}

const requesterOf = ({ network }: Stranger) => ({ team: network, priority: 'single' }) as const;
