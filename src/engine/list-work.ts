import type { ProbeCapacity } from './egress/probe-capacity.js';
import { greatest } from '../kernel/long-lists.js';

/** Seconds, at best and at worst. */
export interface Bounds {
  low: number;
  high: number;
}

/**
 * Seconds that one recipient takes of a session. Servers answer in a tenth of a second; a server that is far away, and
 * new sessions, take up to a second.
 */
const SECONDS_PER_ADDRESS: Bounds = { low: 0.1, high: 1 };
/** Recipients per second of one process at all servers together. */
const ADDRESSES_PER_SECOND: Bounds = { low: 200, high: 20 };

/** The addresses of a list at one provider through one egress. */
interface EgressWork {
  addresses: number;
  connections: number;
}

/** The addresses of a list whose mail servers must be asked, and how long that takes. */
export class ListWork {
  /** By provider. */
  private readonly providers = new Map<
    string,
    { byEgress: Map<string, EgressWork>; open: number; probesLeft: number }
  >();
  /** At servers that may not be asked now. */
  private refused = 0;

  /** @param open addresses, also at domains that were not looked up. */
  constructor(private open: number) {}

  /** These need no server. */
  skip(addresses: number): void {
    this.open -= addresses;
  }

  /** Addresses of a domain. */
  add(provider: string, { egress, connections, probesLeft }: ProbeCapacity, addresses: number): void {
    if (egress === null) {
      this.refused += addresses;
      return;
    }
    const work = this.providers.get(provider) ?? {
      byEgress: new Map<string, EgressWork>(),
      open: 0,
      probesLeft,
    };
    const part = work.byEgress.get(egress) ?? { addresses: 0, connections };
    part.addresses += addresses;
    work.open += addresses;
    work.byEgress.set(egress, part);
    this.providers.set(provider, work);
  }

  /**
   * The slowest provider decides, or the process if the addresses have many servers.
   *
   * @param deferral until a deferred address has its verdict; null: none is deferred.
   */
  seconds(deferral: Bounds | null): Bounds {
    if (this.open <= 0) return { low: 1, high: 1 };
    const waits = deferral !== null && this.deferred > 0 ? deferral : { low: 0, high: 0 };
    const bound = (of: keyof Bounds) => {
      const parts = [...this.providers.values()].flatMap(({ byEgress }) => [...byEgress.values()]);
      const times = parts.map(
        ({ addresses, connections }) => (addresses * SECONDS_PER_ADDRESS[of]) / connections,
      );
      return Math.ceil(greatest(times, Math.max(1, this.open / ADDRESSES_PER_SECOND[of])) + waits[of]);
    };
    return { low: bound('low'), high: bound('high') };
  }

  private get deferred(): number {
    const above = [...this.providers.values()].map(({ open, probesLeft }) => Math.max(0, open - probesLeft));
    return above.reduce((sum, addresses) => sum + addresses, this.refused);
  }
}
