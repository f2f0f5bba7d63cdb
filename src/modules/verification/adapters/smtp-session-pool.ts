import type { Dialler } from '../../../platform/net/dialler.js';
import type { Finding } from './smtp-finding.js';
import { SmtpLane, type LaneOptions, type Request } from './smtp-lane.js';

export interface PoolOptions extends Omit<LaneOptions, 'dialling'> {
  dialler: Dialler;
  port: number;
  connectTimeoutMs: number;
  /** For one reply; a greeting has twice as long. */
  commandTimeoutMs: number;
}

/** What is remembered of servers beyond these is forgotten. */
const MOST_LANES = 5_000;

/** The sessions with all servers, one lane for each address that is dialled. */
export class SmtpSessionPool {
  private readonly lanes = new Map<string, SmtpLane>();

  constructor(private readonly options: PoolOptions) {}

  /**
   * Asks the server at an address.
   *
   * @param ip may be dialled; whoever calls has asked the egress filter.
   * @param mxHost the name that led there; the first of several is the one that TLS is asked for.
   */
  ask(ip: string, mxHost: string, request: Request): Promise<Finding> {
    return this.laneTo(ip, mxHost).ask(request);
  }

  /** Says goodbye to all servers. */
  async close(): Promise<void> {
    await Promise.all([...this.lanes.values()].map((lane) => lane.close()));
  }

  private laneTo(ip: string, mxHost: string): SmtpLane {
    const { dialler, port, connectTimeoutMs, commandTimeoutMs, ...options } = this.options;
    const dialling = { dialler, ip, port, mxHost, connectTimeoutMs, commandTimeoutMs };
    const lane = this.lanes.get(ip) ?? new SmtpLane({ ...options, dialling });
    // The order of the map is that of their last use.
    this.lanes.delete(ip);
    this.lanes.set(ip, lane);
    if (this.lanes.size > MOST_LANES) this.forgetQuietest();
    return lane;
  }

  private forgetQuietest(): void {
    for (const [ip, lane] of this.lanes) {
      if (!lane.isQuiet) continue;
      this.lanes.delete(ip);
      return;
    }
  }
}
