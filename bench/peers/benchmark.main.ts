import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WITH_TYPESCRIPT } from '../../test/support/processes/with-typescript.js';
import type { BenchmarkTask, Contestant } from './contest.js';
import { hasNamespaces, runInNamespace } from './namespace.js';
import { readCases } from './peer-case.js';
import { contestantOf, RIVALS } from './rivals.js';

/**
 * `npm run benchmark`: puts the same cases before Rcpt and other verifiers, and prints what they say. The servers and
 * the verifiers are in a network namespace, from which no packet leaves this machine. docs/benchmark.md has the method.
 *
 *     npm run benchmark -- [--only rcpt,aftership] [--kind null-mx] [--misses]
 */
const INSIDE = join(import.meta.dirname, 'inside-namespace.main.ts');

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, kind: { type: 'string' }, misses: { type: 'boolean' } },
  });
  const names = RIVALS.map(({ name }) => name);
  const only = values.only?.split(',') ?? names;
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    return fail(`Not a verifier of this benchmark: ${unknown.join(', ')}. Known: ${names.join(', ')}`);
  const kinds = new Set((await readCases()).map(({ kind }) => kind));
  if (values.kind !== undefined && !kinds.has(values.kind))
    return fail(`Not a kind of cases: ${values.kind}. Known: ${[...kinds].join(', ')}`);
  if (!hasNamespaces())
    return fail(
      'The benchmark needs namespaces for network and mounts: Linux with unshare (apt-get install util-linux) and ip (apt-get install iproute2), as root or where users may create namespaces',
    );
  const contestants: Contestant[] = [];
  for (const rival of RIVALS.filter(({ name }) => only.includes(name))) {
    const contestant = await contestantOf(rival);
    if (contestant !== null) contestants.push(contestant);
  }
  if (contestants.length === 0) return 1;
  const task: BenchmarkTask = {
    contestants,
    kind: values.kind ?? null,
    showsMisses: values.misses === true,
  };
  return runInNamespace([process.execPath, ...WITH_TYPESCRIPT, INSIDE, JSON.stringify(task)]);
}

function fail(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 1;
}

process.exitCode = await main();
