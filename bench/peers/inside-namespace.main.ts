import { AddressPolicy } from '../../src/platform/net/address-policy.js';
import { CaseWorld, planOf, type CasePlaces } from './case-world.js';
import { contest, type BenchmarkTask } from './contest.js';
import { ForbiddenServers } from './forbidden-servers.js';
import { arrangeNamespace } from './namespace.js';
import { readCases } from './peer-case.js';
import { kindTable, misses, resultTable, type PeerRun } from './score.js';

/** The part of the benchmark inside of its namespace: servers, verifiers and the result. */
const SIDE_BY_SIDE = 16;
const CASE_MS = 60_000;
const RUN_MS = 20 * 60_000;

/** Networks for benchmarks and examples (RFC 2544, RFC 3849), which stand for the Internet. */
const INTERNET = ['198.18.0.0/15', '2001:db8::/32'];
const PLACES: CasePlaces = {
  ipv4: (n) => `198.18.${n >> 8}.${n & 255}`,
  ipv6: (n) => `2001:db8::${(n + 1).toString(16)}`,
  closed: '198.18.255.254',
  pace: 1,
};

const { contestants, kind, showsMisses } = JSON.parse(process.argv[2] ?? '') as BenchmarkTask;
const cases = (await readCases()).filter((one) => kind === null || one.kind === kind);
const plan = planOf(cases, PLACES);
const internet = new AddressPolicy(INTERNET);
const forbidden = plan.strangers.filter((address) => !internet.allows(address)).map(whereItLeads);
await arrangeNamespace([
  ...Object.keys(plan.sites),
  PLACES.closed,
  ...forbidden.filter((ip) => !isOfMachine(ip)),
]);
const world = await CaseWorld.start(plan, { dns: 53, smtp: 25 });
const traps = await ForbiddenServers.start(forbidden);

const runs: PeerRun[] = [];
const endsAt = Date.now() + RUN_MS;
for (const contestant of contestants) {
  const { name, version } = contestant;
  process.stderr.write(`${name} ${version} …\n`);
  const before = traps.connections;
  const began = performance.now();
  const answers = await contest(contestant, cases, { sideBySide: SIDE_BY_SIDE, caseMs: CASE_MS, endsAt });
  const seconds = (performance.now() - began) / 1000;
  runs.push({ name, version, answers, seconds, forbidden: traps.connections - before });
}
await world.stop();
await traps.stop();
console.log(`${cases.length} cases\n\n${resultTable(cases, runs)}\n\n${kindTable(cases, runs)}`);
if (showsMisses) console.log(`\n${runs.flatMap((run) => misses(cases, run)).join('\n')}`);

/** 0.0.0.0 leads to the machine itself, and an IPv4 address in the form of IPv6 to the former. */
function whereItLeads(address: string): string {
  return address === '0.0.0.0' ? '127.0.0.1' : address.replace(/^::ffff:/, '');
}

function isOfMachine(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}
