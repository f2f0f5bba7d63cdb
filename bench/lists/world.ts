import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { DnsWorld } from '../../test/support/dns/dns-world.js';
import type { WorldPlace } from '../engine/world.js';
import { planOf, type Plan, type PlanOptions, type ServerPlan } from './plan.js';
import { ACCEPTED, converse, onEnded, turnAway, unknownUser } from '../smtp-dialogue.js';

/**
 * The process with the DNS and mail servers of `bench/lists.ts`. Its first argument is the options of the
 * plan; it sends its address and counters by IPC. Servers count their sessions and reject those above
 * their limit.
 */
export interface ListsWorldCounts {
  /** By provider; `others` are the servers of small domains, each with its own limit. */
  sessions: Record<string, SessionCounts>;
  /** Processor time of this process since its servers listen. */
  cpuMs: number;
}

export interface SessionCounts {
  connections: number;
  /** Sessions above the limit. */
  rejected: number;
  /** Maximum concurrent sessions, including rejected ones. */
  mostAtOnce: number;
  /** The same for one address. */
  mostAtAddress: number;
  /** When the last recipient was named, since the first connection of all. */
  lastRecipientMs: number;
}

export const OTHERS = 'others';

const NO_SESSIONS: SessionCounts = {
  connections: 0,
  rejected: 0,
  mostAtOnce: 0,
  mostAtAddress: 0,
  lastRecipientMs: 0,
};

const TARPIT_BANNER = `220 ${'x'.repeat(200)}\r\n`;
const TARPIT_INTERVAL_MS = 1_000;
const BACKLOG = 4_096;

class CountedServer {
  private open = 0;

  constructor(
    private readonly plan: ServerPlan,
    private readonly counts: SessionCounts,
  ) {}

  /** Whether the session is within the limit. */
  admit(socket: Socket): boolean {
    this.open += 1;
    this.counts.connections += 1;
    this.counts.mostAtOnce = Math.max(this.counts.mostAtOnce, this.open);
    onEnded(socket, () => (this.open -= 1));
    if (this.open <= this.plan.sessions) return true;
    this.counts.rejected += 1;
    return false;
  }
}

async function serveMail(plan: Plan, options: PlanOptions, sessions: Record<string, SessionCounts>) {
  const replyTo = replies(plan);
  let beganAtMs = Infinity;
  let port = 0;
  for (const server of plan.servers.filter(({ behaviour }) => behaviour !== 'refusing')) {
    const counts = (sessions[server.provider ?? OTHERS] ??= { ...NO_SESSIONS });
    const counted = new CountedServer(server, counts);
    const counting = (recipient: string) => {
      counts.lastRecipientMs = performance.now() - beganAtMs;
      return replyTo(recipient);
    };
    for (const host of server.ips) {
      let open = 0;
      const listener = createServer({ noDelay: true }, (socket) => {
        open += 1;
        beganAtMs = Math.min(beganAtMs, performance.now());
        counts.mostAtAddress = Math.max(counts.mostAtAddress, open);
        onEnded(socket, () => (open -= 1));
        if (!counted.admit(socket)) turnAway(socket, server.latencyMs);
        else if (server.behaviour === 'working') converse(socket, { ...server, replyTo: counting });
        else if (server.behaviour === 'tarpit') drip(socket, options);
        else socket.resume();
      });
      listener.listen({ port, host, backlog: BACKLOG });
      await once(listener, 'listening');
      ({ port } = listener.address() as AddressInfo);
    }
  }
  return port;
}

function replies({ mailboxes, catchAll }: Plan) {
  return (recipient: string): string => {
    if (catchAll.has(recipient.slice(recipient.indexOf('@') + 1))) return ACCEPTED;
    switch (mailboxes.get(recipient)) {
      case 'present':
        return ACCEPTED;
      case 'disabled':
        return '550 5.2.1 The email account that you tried to reach is disabled.';
      case 'full':
        return '452 4.2.2 The email account that you tried to reach is over quota.';
      default:
        return unknownUser(recipient);
    }
  };
}

/** An octet a second. */
function drip(socket: Socket, { latencyScale }: PlanOptions): void {
  let sent = 0;
  const timer = setInterval(
    () => socket.writable && socket.write(TARPIT_BANNER[sent++] ?? 'x'),
    TARPIT_INTERVAL_MS * latencyScale,
  );
  socket.resume().on('close', () => clearInterval(timer));
}

if (process.argv[1] === import.meta.filename) {
  const options = JSON.parse(process.argv[2] ?? '') as PlanOptions;
  const plan = planOf(options);
  const sessions: Record<string, SessionCounts> = {};
  const dns = await DnsWorld.start({ zones: plan.zones });
  const place: WorldPlace = { dnsServer: dns.server, smtpPort: await serveMail(plan, options, sessions) };
  const before = process.cpuUsage();
  process.on('message', () => {
    const { user, system } = process.cpuUsage(before);
    process.send?.({ sessions, cpuMs: (user + system) / 1000 } satisfies ListsWorldCounts);
  });
  process.on('disconnect', () => process.exit());
  process.send?.(place);
}
