import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  addressesOf,
  type KnownAddress,
  type WorldCounts,
  type WorldOptions,
  type WorldPlace,
} from './engine.world.js';

/**
 * Addresses per second, connections, commands, peak memory and errors of our engine beside two others
 * (`bench/peers`, installed on the first run), in one world of 50 domains with 50 ms a reply. World and
 * engine are processes of their own. The peers dial port 25 by the system's DNS: inside their process
 * `dns` and `net` are led into the world instead (`engine.peers.mjs`); their code is as published. Each
 * peer runs at several concurrencies; shown are the one that keeps to as many connections per host as
 * ours, and its best.
 *
 *     npm run build && npx tsx bench/engine.ts
 *
 * The computed limit is what latency and the cap of connections set for a dialogue of one transaction an
 * address. Each of C connections to each of D hosts spends two round trips on its greeting, and then one
 * round trip (with PIPELINING: RSET, MAIL and RCPT go together) or three (without) on each of its
 * ⌈(N/D + 1) / C⌉ recipients, the one more being the random address that shows whether the domain takes
 * all. The limit is N addresses in that many round trips, computers and networks being free of cost and
 * no connection ever renewed. Several transactions sent in one go can beat it; nothing else can.
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
/** More than there are sessions: whoever waits for one is no load. */
const OUR_CONCURRENCY = 1_000;
const PEERS = ['deep-email-validator', 'email-verify'];
/** A peer has one connection for each address: with these, as many per host as ours. */
const AS_POLITE = WORLD.domains * CONNECTIONS_PER_HOST;
/** All of the list at each: a shorter one favours the fewer. */
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
  await installPeers();
  for (const [title, options] of Object.entries(WORLDS)) {
    const addresses = addressesOf(options);
    const world = fork(join(import.meta.dirname, 'engine.world.ts'), [JSON.stringify(options)], {
      execArgv: ['--import', 'tsx'],
    });
    const [place] = (await once(world, 'message')) as [WorldPlace];
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
      runs.push(...tried.filter((each) => each === best || each.concurrency === AS_POLITE));
    }
    world.disconnect();
    console.log(
      `\n${title}: ${addresses.length} addresses, at most ${Math.round(limitOf(options))} a second`,
    );
    console.table(runs.map((each) => rowOf(each, options)));
  }
}

/** Addresses a second; see above. */
function limitOf({ domains, addressesPerDomain, latencyMs, pipelining }: WorldOptions): number {
  const recipients = Math.ceil((addressesPerDomain + 1) / CONNECTIONS_PER_HOST);
  const roundTrips = 2 + recipients * (pipelining ? 1 : 3);
  return (domains * addressesPerDomain) / ((roundTrips * latencyMs) / 1000);
}

/** Speed that costs answers is none. */
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
  place: WorldPlace,
  concurrency: number,
  addresses: readonly KnownAddress[],
): Promise<Measured> {
  const child = fork(join(import.meta.dirname, 'engine.contestant.mjs'), [engine, JSON.stringify(place)], {
    execArgv: [],
  });
  await once(child, 'message');
  child.send({ emails: addresses.map(({ email }) => email), concurrency });
  const [measured] = (await once(child, 'message')) as [Measured];
  child.disconnect();
  await once(child, 'exit');
  return measured;
}

/** The world's counters, which begin anew. */
async function countsOf(world: ChildProcess): Promise<WorldCounts> {
  world.send('counts');
  const [counts] = (await once(world, 'message')) as [WorldCounts];
  return counts;
}

async function installPeers(): Promise<void> {
  const cwd = join(import.meta.dirname, 'peers');
  if (existsSync(join(cwd, 'node_modules'))) return;
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd });
}

await main();
