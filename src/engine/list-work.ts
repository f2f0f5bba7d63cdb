import type { ExpectedWay } from './egress/expected-way.js';

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
interface Lane {
  addresses: number;
  connections: number;
}

/** The addresses of a list whose mail servers must be asked, and how long that takes. */
export class ListWork {
  /** By provider. */
  private readonly providers = new Map<
    string,
    { lanes: Map<string, Lane>; open: number; probesLeft: number }
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
  add(provider: string, { egress, connections, probesLeft }: ExpectedWay, addresses: number): void {
    if (egress === null) {
      this.refused += addresses;
      return;
    }
    const work = this.providers.get(provider) ?? { lanes: new Map<string, Lane>(), open: 0, probesLeft };
    const lane = work.lanes.get(egress) ?? { addresses: 0, connections };
    lane.addresses += addresses;
    work.open += addresses;
    work.lanes.set(egress, lane);
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
      const lanes = [...this.providers.values()].flatMap(({ lanes }) => [...lanes.values()]);
      const times = lanes.map(
        ({ addresses, connections }) => (addresses * SECONDS_PER_ADDRESS[of]) / connections,
      );
      return Math.ceil(Math.max(1, this.open / ADDRESSES_PER_SECOND[of], ...times) + waits[of]);
    };
    return { low: bound('low'), high: bound('high') };
  }

  private get deferred(): number {
    const above = [...this.providers.values()].map(({ open, probesLeft }) => Math.max(0, open - probesLeft));
    return above.reduce((sum, addresses) => sum + addresses, this.refused);
  }
}
