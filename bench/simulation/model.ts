/**
 * The discrete-event model of `bench/simulation.ts`. An address arrives, waits for the processor of a
 * worker, then for a connection of its egress to a server of its provider, and is answered. All times are
 * in seconds of simulated time.
 */
export interface Provider {
  name: string;
  /** Share of the addresses, 0–1. */
  share: number;
  /** At all of its addresses together, for each egress; null: each domain has its own servers, none is a bottleneck. */
  sessions: number | null;
  /** Recipients per session. */
  recipients: number;
  roundTripSeconds: number;
  /** Addresses per day that one egress can probe before the provider refuses it; null: no limit. */
  perEgressAndDay: number | null;
  /** Share of the probes that are refused because of the egress, and repeated through another one. */
  refusals: number;
}

export interface Fleet {
  egresses: number;
  workers: number;
}

export interface Load {
  perSecond: number;
  /** Simulated time, of which the first third is not counted. */
  seconds: number;
  /** Processor time of one address in a worker. */
  cpuSeconds: number;
}

export interface Outcome {
  /** Addresses answered per second. */
  perSecond: number;
  /** From arrival to answer, 99th percentile. */
  p99Seconds: number;
  /** Share of the time that the resource is in use. */
  busy: Readonly<Record<string, number>>;
  /** Addresses per egress and day that exceed what the provider allows, by provider; 0: none. */
  overDaily: Readonly<Record<string, number>>;
}

/** A longer queue means that the fleet cannot process the arrivals. */
const HOPELESS_SECONDS = 60;

/** A first-come, first-served queue with a number of servers. */
class Station {
  private readonly freeAt: Heap<number>;
  busySeconds = 0;

  constructor(readonly places: number) {
    this.freeAt = new Heap((a, b) => a - b);
    for (let place = 0; place < places; place++) this.freeAt.push(0);
  }

  /** @returns when the work that arrives at `now` is done. */
  serve(now: number, seconds: number): number {
    const start = Math.max(now, this.freeAt.pop() ?? now);
    this.freeAt.push(start + seconds);
    this.busySeconds += seconds;
    return start + seconds;
  }
}

interface Arrival {
  at: number;
  since: number;
  provider: Provider;
  egress: number;
  stage: 'worker' | 'server';
}

/** Simulates one fleet; the same arguments give the same outcome. */
export function simulate(providers: readonly Provider[], fleet: Fleet, load: Load): Outcome {
  const random = seeded(1);
  const workers = new Station(fleet.workers);
  const servers = new Map(
    providers.map((provider) => [
      provider.name,
      provider.sessions === null
        ? null
        : Array.from({ length: fleet.egresses }, () => new Station(provider.sessions!)),
    ]),
  );
  const events = new Heap<Arrival>((a, b) => a.at - b.at);
  const countFrom = load.seconds / 3;
  const latencies: number[] = [];
  let next = 0;
  const arrive = () => {
    next += -Math.log(1 - random()) / load.perSecond;
    const at = next;
    if (at > load.seconds) return;
    const egress = Math.floor(random() * fleet.egresses);
    events.push({ at, since: at, provider: pick(providers, random()), egress, stage: 'worker' });
  };
  arrive();
  for (let event = events.pop(); event !== undefined; event = events.pop()) {
    const { provider, egress, since } = event;
    if (event.stage === 'worker') {
      if (event.at === since) arrive();
      events.push({ ...event, at: workers.serve(event.at, load.cpuSeconds), stage: 'server' });
      continue;
    }
    const seconds = secondsOfConnection(provider);
    const done = servers.get(provider.name)?.[egress]?.serve(event.at, seconds) ?? event.at + seconds;
    if (done - since < HOPELESS_SECONDS && random() < provider.refusals) {
      events.push({ at: done, since, provider, egress: (egress + 1) % fleet.egresses, stage: 'worker' });
    } else if (since >= countFrom) latencies.push(done - since);
  }
  latencies.sort((a, b) => a - b);
  const busy: Record<string, number> = { workers: workers.busySeconds / (fleet.workers * load.seconds) };
  for (const [name, stations] of servers)
    if (stations !== null) {
      const places = stations.length * (stations[0]?.places ?? 0);
      busy[name] = stations.reduce((sum, each) => sum + each.busySeconds, 0) / (places * load.seconds);
    }
  return {
    perSecond: latencies.length / (load.seconds - countFrom),
    p99Seconds: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
    busy,
    overDaily: overDaily(providers, fleet, load.perSecond * 86_400),
  };
}

/**
 * The time that one address occupies a connection: a round trip with PIPELINING, and its part of the
 * greeting and the QUIT of a connection (four round trips, TCP included).
 */
export function secondsOfConnection({ roundTripSeconds, recipients }: Provider): number {
  return roundTripSeconds * (1 + 4 / recipients);
}

function overDaily(providers: readonly Provider[], { egresses }: Fleet, perDay: number) {
  return Object.fromEntries(
    providers.flatMap(({ name, share, perEgressAndDay, refusals }) => {
      if (perEgressAndDay === null) return [];
      const asked = (perDay * share * (1 + refusals)) / egresses;
      return [[name, Math.max(0, Math.round(asked - perEgressAndDay))]];
    }),
  );
}

function pick(providers: readonly Provider[], draw: number): Provider {
  let rest = draw;
  return providers.find(({ share }) => (rest -= share) < 0) ?? providers.at(-1)!;
}

/** A linear congruential generator (Numerical Recipes), so that two runs agree. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A binary heap; the smallest element first. */
class Heap<T> {
  private readonly items: T[] = [];

  constructor(private readonly compare: (a: T, b: T) => number) {}

  push(item: T): void {
    let index = this.items.push(item) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.compare(this.items[parent]!, item) <= 0) break;
      this.items[index] = this.items[parent]!;
      index = parent;
    }
    this.items[index] = item;
  }

  pop(): T | undefined {
    const top = this.items[0];
    const last = this.items.pop();
    if (top === undefined || last === undefined || this.items.length === 0) return top;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= this.items.length) break;
      if (child + 1 < this.items.length && this.compare(this.items[child + 1]!, this.items[child]!) < 0)
        child++;
      if (this.compare(this.items[child]!, last) >= 0) break;
      this.items[index] = this.items[child]!;
      index = child;
    }
    this.items[index] = last;
    return top;
  }
}
