import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  addressesOf,
  type KnownAddress,
  type WorldCounts,
  type WorldOptions,
  type WorldPlace,
} from './engine/world.js';
import { npmPeers } from './peers/rivals.js';
import { WITH_TYPESCRIPT } from '../test/support/processes/with-typescript.js';

/**
 * Compares addresses per second, connections, commands, peak memory and errors of this engine and two
 * others (`bench/peers/rivals/npm`, installed at the start), with 50 domains and 50 ms per reply. Servers and
 * engine are separate processes. The peers connect to port 25 through the system's DNS; in their process
 * `dns` and `net` are redirected to the test servers (`engine/peers.mjs`), their code is unchanged. Each
 * peer runs with several concurrencies. The output shows the run with the same number of connections per
 * host, and the fastest run.
 *
 *     npm run build && npm run ts bench/engine.ts
 *
 * The computed limit follows from latency and the maximum number of connections, with one transaction
 * per address. Each of C connections to each of D hosts needs two round trips for its greeting, and one
 * round trip (with PIPELINING: RSET, MAIL and RCPT together) or three (without) for each of its
 * ⌈(N/D + 1) / C⌉ recipients, including the random address for the catch-all test. The limit assumes no
 * CPU time and no reconnects. Only several pipelined transactions can exceed it.
 */
const WORLD: WorldOptions = {
  domains: 50,
  addressesPerDomain: 100,
  latencyMs: 50,
  pipelining: true,
  maxConnections: null,
};
const WORLDS: Readonly<Record<string, WorldOptions>> = {
  'servers without a limit, with PIPELINING': WORLD,
  'servers without a limit, without PIPELINING': { ...WORLD, pipelining: false },
  'servers that take 5 connections a client': { ...WORLD, maxConnections: 5 },
  // A process that has just begun is not yet as fast as it will be.
  'a list six times as long, with PIPELINING': { ...WORLD, addressesPerDomain: 600 },
};
const CONNECTIONS_PER_HOST = 4;
const OURS = 'rcpt';
/** More than the number of sessions, so that sessions are the limit. */
const OUR_CONCURRENCY = 1_000;
const PEERS = ['deep-email-validator', 'email-verify'];
/** A peer uses one connection per address; with this concurrency it has as many per host as this engine. */
const AS_POLITE = WORLD.domains * CONNECTIONS_PER_HOST;
/** Each concurrency verifies the whole list, since a shorter list favours low concurrencies. */
const PEER_CONCURRENCIES = [AS_POLITE, 400, 600];

interface Measured {
  ms: number;
  cpuMs: number;
  idleMb: number;
  peakMb: number;
  verdicts: { email: string; status: string }[];
}

interface Run extends Measured {
  engine: string;
  concurrency: number;
  counts: WorldCounts;
  addresses: readonly KnownAddress[];
}

async function main(): Promise<void> {
  const peersFolder = await npmPeers();
  for (const [title, options] of Object.entries(WORLDS)) {
    const addresses = addressesOf(options);
    const world = fork(join(import.meta.dirname, 'engine/world.ts'), [JSON.stringify(options)], {
      execArgv: [...WITH_TYPESCRIPT],
    });
    const [served] = (await once(world, 'message')) as [WorldPlace];
    const place = { ...served, peersFolder };
    const run = async (engine: string, concurrency: number): Promise<Run> => {
      await countsOf(world);
      const measured = await measure(engine, place, concurrency, addresses);
      return { ...measured, engine, concurrency, addresses, counts: await countsOf(world) };
    };
    const runs = [await run(OURS, OUR_CONCURRENCY)];
    for (const peer of PEERS) {
      const tried: Run[] = [];
      for (const concurrency of PEER_CONCURRENCIES) tried.push(await run(peer, concurrency));
      const best = tried.reduce((a, b) => (rightPerSecond(b) > rightPerSecond(a) ? b : a));
      runs.push(...tried.filter((run) => run === best || run.concurrency === AS_POLITE));
    }
    world.disconnect();
    console.log(
      `\n${title}: ${addresses.length} addresses, at most ${Math.round(limitOf(options))} a second`,
    );
    console.table(runs.map((run) => rowOf(run, options)));
  }
}

/** Addresses per second, see above. */
function limitOf({ domains, addressesPerDomain, latencyMs, pipelining }: WorldOptions): number {
  const recipients = Math.ceil((addressesPerDomain + 1) / CONNECTIONS_PER_HOST);
  const roundTrips = 2 + recipients * (pipelining ? 1 : 3);
  return (domains * addressesPerDomain) / ((roundTrips * latencyMs) / 1000);
}

/** Runs with errors are excluded. */
function rightPerSecond(run: Run): number {
  return tally(run).right / run.ms;
}

function tally({ addresses, verdicts }: Run) {
  const said = new Map(verdicts.map(({ email, status }) => [email, status]));
  const count = (exists: boolean, status: string) =>
    addresses.filter((address) => address.exists === exists && said.get(address.email) === status).length;
  const right = count(true, 'deliverable') + count(false, 'undeliverable');
  const falselyDown = count(true, 'undeliverable');
  const falselyUp = count(false, 'deliverable');
  const unknown = addresses.length - right - falselyDown - falselyUp;
  return { right, 'false undeliverable': falselyDown, 'false deliverable': falselyUp, unknown };
}

function rowOf(run: Run, world: WorldOptions) {
  const { engine, concurrency, ms, idleMb, peakMb, cpuMs, counts, addresses } = run;
  const rate = (addresses.length / ms) * 1000;
  return {
    engine,
    concurrency,
    'addresses/s': Math.round(rate),
    'of the limit': (rate / limitOf(world)).toFixed(2),
    connections: counts.connections,
    'turned away': counts.turnedAway,
    'most at once': counts.mostAtOnce,
    commands: counts.commands,
    'CPU ms': Math.round(cpuMs),
    'loaded MB': Math.round(idleMb),
    'peak MB': Math.round(peakMb),
    ...tally(run),
  };
}

async function measure(
  engine: string,
  place: WorldPlace & { peersFolder: string },
  concurrency: number,
  addresses: readonly KnownAddress[],
): Promise<Measured> {
  const child = fork(join(import.meta.dirname, 'engine/contestant.mjs'), [engine, JSON.stringify(place)], {
    execArgv: [],
  });
  await once(child, 'message');
  child.send({ emails: addresses.map(({ email }) => email), concurrency });
  const [measured] = (await once(child, 'message')) as [Measured];
  child.disconnect();
  await once(child, 'exit');
  return measured;
}

/** Reads and resets the counters of the servers. */
async function countsOf(world: ChildProcess): Promise<WorldCounts> {
  world.send('counts');
  const [counts] = (await once(world, 'message')) as [WorldCounts];
  return counts;
}

await main();
