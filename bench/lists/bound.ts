import type { Plan, ServerPlan } from './plan.js';

/**
 * How fast a list can be at all, from the plan alone: each server works from the beginning to its last
 * address with all sessions that it allows, in parallel with the others, and a session has one transaction
 * in each round trip. The time for connections and greetings is not counted, neither is processor time.
 * Only several recipients in a round trip can be faster.
 */
export interface Bound {
  /** The critical path: the time of the slowest server. */
  wholeMs: number;
  /** The server on the critical path. */
  slowest: string;
  /** When 90 % of the rows can be done. */
  mostMs: number;
}

/** Default of `SMTP_MAX_CONNECTIONS_PER_MX`: the engine opens no more to one address. */
const SESSIONS_PER_ADDRESS = 4;
/** Default of `SMTP_COMMAND_TIMEOUT_MS`. */
export const COMMAND_TIMEOUT_MS = 15_000;
/** The engine waits twice as long for the banner (`SMTP_COMMAND_TIMEOUT_MS`). */
const BANNER_TIMEOUTS = 2;
/** RSET, MAIL and RCPT: together, or one after the other. */
const ROUND_TRIPS = { pipelined: 1, single: 3 };
const MOST = 0.9;

export function boundOf({ servers, rows }: Plan, latencyScale: number): Bound {
  const times = servers.map((server) => ({ server, ms: timeOf(server, latencyScale) }));
  const slowest = times.reduce((a, b) => (b.ms > a.ms ? b : a));
  const doneAt = (ms: number) => times.reduce((sum, time) => sum + rowsAt(time, ms), 0);
  let [early, late] = [0, slowest.ms];
  while (late - early > 1) {
    const middle = (early + late) / 2;
    if (doneAt(middle) < MOST * rows.length) early = middle;
    else late = middle;
  }
  return { wholeMs: slowest.ms, slowest: described(slowest.server), mostMs: late };
}

/**
 * A silent server and a tarpit, whose banner does not end, take the time after which the engine gives up
 * once: all of their addresses get this result. A refused connection takes no time.
 */
function timeOf({ behaviour, ...server }: ServerPlan, latencyScale: number): number {
  if (behaviour === 'refusing') return 0;
  if (behaviour !== 'working') return BANNER_TIMEOUTS * COMMAND_TIMEOUT_MS * latencyScale;
  const sessions = Math.min(server.sessions, SESSIONS_PER_ADDRESS * server.ips.length);
  // One random address for each domain, which shows whether it is catch-all.
  const transactions = Math.ceil((server.rows + server.domains) / sessions);
  return transactions * ROUND_TRIPS[server.pipelining ? 'pipelined' : 'single'] * server.latencyMs;
}

/** Rows of a server that are done by this time. */
function rowsAt({ server, ms }: { server: ServerPlan; ms: number }, atMs: number): number {
  if (atMs >= ms) return server.rows;
  return server.behaviour === 'working' ? (server.rows * atMs) / ms : 0;
}

function described({ provider, rows, latencyMs, behaviour }: ServerPlan): string {
  const name = provider ?? `a ${behaviour} small domain`;
  return `${name}, ${rows} rows, ${Math.round(latencyMs)} ms`;
}
