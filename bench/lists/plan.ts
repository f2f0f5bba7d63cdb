import type { DnsName } from '../../test/support/dns/dns-zones.js';
import { randomFrom } from '../../test/support/processes/bulk-chaos.js';
import type { Status } from '../../src/kernel/verdict.js';
import { ipOf } from '../engine/world.js';
import { MAILBOXES, PROVIDERS, SMALL, type Mailbox, type ProviderSpec } from './providers.js';

/** The list and the mail servers of `bench/lists.ts`: the same for the same options. */
export interface PlanOptions {
  rows: number;
  seed: number;
  /** Factor of all latencies and of the timeout of a reply. */
  latencyScale: number;
  /** False: no server has it. */
  pipelining: boolean;
}

export type Behaviour = 'working' | 'silent' | 'refusing' | 'tarpit';

/** All mail servers of a provider, or the one of a small domain. */
export interface ServerPlan {
  /** Null: a small domain. */
  provider: string | null;
  behaviour: Behaviour;
  ips: string[];
  /** Sessions that it allows at all of its addresses together. */
  sessions: number;
  latencyMs: number;
  pipelining: boolean;
  domains: number;
  rows: number;
}

export interface PlannedRow {
  email: string;
  server: ServerPlan;
  /** The right verdict. */
  status: Status;
}

export interface Plan {
  servers: ServerPlan[];
  zones: Record<string, DnsName>;
  catchAll: ReadonlySet<string>;
  mailboxes: ReadonlyMap<string, Mailbox>;
  /** In the order of the list. */
  rows: PlannedRow[];
}

const STATUS_OF_MAILBOX: Readonly<Record<Mailbox, Status>> = {
  present: 'deliverable',
  absent: 'undeliverable',
  disabled: 'undeliverable',
  full: 'risky',
};

export function planOf({ rows, seed, ...options }: PlanOptions): Plan {
  const plan = new PlanBuilder(options, randomFrom(seed + 1_000_000));
  for (const [provider, spec] of Object.entries(PROVIDERS))
    plan.addProvider(provider, spec, Math.round(rows * spec.share));
  // The servers are the same for any number of rows.
  plan.addSmallDomains(rows - plan.rows.length, randomFrom(seed));
  plan.shuffleRows();
  return plan;
}

class PlanBuilder implements Plan {
  readonly servers: ServerPlan[] = [];
  readonly zones: Record<string, DnsName> = {};
  readonly catchAll = new Set<string>();
  readonly mailboxes = new Map<string, Mailbox>();
  readonly rows: PlannedRow[] = [];
  private addresses = 0;

  constructor(
    private readonly options: Pick<PlanOptions, 'latencyScale' | 'pipelining'>,
    private readonly random: () => number,
  ) {}

  addProvider(provider: string, spec: ProviderSpec, rows: number): void {
    const { sessions, latencyMs, pipelining, own, customers, hostsOf } = spec;
    const ofServer = { provider, behaviour: 'working' as const, sessions, latencyMs, pipelining };
    const server = this.addServer(ofServer, spec.addresses);
    const ofOwn = customers === 0 ? rows : Math.round(rows / 2);
    let hosts = 0;
    const addDomain = (name: string, exchanges: readonly string[], count: number) => {
      for (const host of exchanges)
        this.zones[host] ??= { a: [server.ips[hosts++ % server.ips.length] ?? ''] };
      this.addDomain(name, exchanges, server, count);
    };
    const counts = zipf(ofOwn, Object.keys(own).length);
    for (const [n, [name, host]] of Object.entries(own).entries()) addDomain(name, [host], counts[n] ?? 0);
    for (const [n, count] of zipf(rows - ofOwn, customers).entries())
      addDomain(`firm${n}.${provider.split('.')[0]}.customers.mailworld`, hostsOf(n), count);
  }

  addSmallDomains(rows: number, random: () => number): void {
    const { sessions, medianMs, sigma, minMs, maxMs } = SMALL;
    const behaviours = behavioursOf(random);
    for (const [n, count] of zipf(rows, SMALL.domains).entries()) {
      const name = `company${n}.mailworld`;
      if (random() < SMALL.catchAll) this.catchAll.add(name);
      const behaviour = behaviours[n] ?? 'working';
      const latencyMs = Math.min(maxMs, Math.max(minMs, medianMs * Math.exp(sigma * normal(random))));
      const pipelining = random() >= SMALL.withoutPipelining;
      const server = this.addServer({ provider: null, behaviour, sessions, latencyMs, pipelining }, 1);
      this.zones[`mx.${name}`] = { a: server.ips };
      this.addDomain(name, [`mx.${name}`], server, count);
    }
  }

  shuffleRows(): void {
    shuffle(this.rows, this.random);
  }

  private addServer(server: Omit<ServerPlan, 'ips' | 'domains' | 'rows'>, count: number): ServerPlan {
    const ips = Array.from({ length: count }, () => ipOf(this.addresses++));
    const latencyMs = server.latencyMs * this.options.latencyScale;
    const pipelining = server.pipelining && this.options.pipelining;
    const added = { ...server, latencyMs, pipelining, ips, domains: 0, rows: 0 };
    this.servers.push(added);
    return added;
  }

  private addDomain(name: string, hosts: readonly string[], server: ServerPlan, count: number): void {
    this.zones[name] = { mx: hosts.map((host, n) => [10 * (n + 1), host]) };
    server.domains += 1;
    server.rows += count;
    for (let n = 0; n < count; n++) {
      const email = `person${this.rows.length}.name@${name}`;
      const at = this.random();
      const mailbox = MAILBOXES.find(([, upTo]) => at < upTo)?.[0] ?? 'present';
      this.mailboxes.set(email, mailbox);
      const known = this.catchAll.has(name) ? 'risky' : STATUS_OF_MAILBOX[mailbox];
      this.rows.push({ email, server, status: server.behaviour === 'working' ? known : 'unknown' });
    }
  }
}

/** Rows of each domain, the largest first; each has at least one, and on average at least four. */
function zipf(total: number, domains: number): number[] {
  const length = Math.min(domains, Math.floor(total / 4));
  const harmonic = Array.from({ length }, (_, n) => 1 / (n + 1)).reduce((sum, value) => sum + value, 0);
  const counts = Array.from({ length }, (_, n) => Math.max(1, Math.round(total / harmonic / (n + 1))));
  const given = counts.reduce((sum, value) => sum + value, 0);
  return counts.map((count, n) => (n === 0 ? count + total - given : count));
}

/** By the rank of the domain. */
function behavioursOf(random: () => number): Behaviour[] {
  const { domains, working } = SMALL;
  const order = Array.from({ length: domains - working }, (_, n) => n + working);
  shuffle(order, random);
  const behaviours = Array.from({ length: domains }, (): Behaviour => 'working');
  for (const behaviour of ['silent', 'refusing', 'tarpit'] as const)
    for (const n of order.splice(0, Math.round(domains * SMALL[behaviour]))) behaviours[n] = behaviour;
  return behaviours;
}

/** Box–Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function shuffle(items: unknown[], random: () => number): void {
  for (let n = items.length - 1; n > 0; n--) {
    const other = Math.floor(random() * (n + 1));
    [items[n], items[other]] = [items[other], items[n]];
  }
}
