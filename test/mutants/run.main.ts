// `npm run test:mutants` plants each fault in a copy of the repository, and runs the test that must fail. With
// words, it plants the faults whose kind, sentence or file has one of them. Faults that no test notices are listed.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locate, readMutants, sourcesOf, type Mutant } from './mutants.js';

const root = join(import.meta.dirname, '../..');
/** With one worker, an uncaught error of a test would end Jest. */
const JEST = ['--import', './test/support/jest/typescript.mjs', 'node_modules/jest/bin/jest.js', '-w', '2'];
/** A fault may make a test wait for ever. */
const TIMEOUT_MS = 240_000;

interface Report {
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

/** Only files that belong to the repository. */
function copyOf(): string {
  const copy = mkdtempSync(join(tmpdir(), 'rcpt-mutants-'));
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  for (const file of files.split('\0').filter((name) => name !== '' && existsSync(join(root, name))))
    cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, 'dist'));
  for (const name of readdirSync(join(root, 'dist'))) link(copy, join('dist', name));
  return copy;
}

/** What is built stays that of the repository, unless a fault is in it. */
const link = (copy: string, path: string) => symlinkSync(join(root, path), join(copy, path));

/** The console and the widget are programs of a browser, which gets them as Vite builds them. */
const builtFrom = (file: string) => /^(?:console|widget)(?=\/)/.exec(file)?.[0] ?? null;

/** Builds the console or the widget with its fault. @returns what restores it. */
function build(copy: string, name: string): () => void {
  const path = join('dist', name);
  rmSync(join(copy, path));
  execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', name, '--logLevel', 'error'], {
    cwd: copy,
    stdio: 'inherit',
  });
  return () => {
    rmSync(join(copy, path), { recursive: true });
    link(copy, path);
  };
}

/** @returns the status of each test whose name has one of these parts; null: Jest did not end. */
function run(copy: string, specs: readonly string[], tests: readonly string[]): Map<string, string> | null {
  const output = join(copy, 'mutants.json');
  rmSync(output, { force: true });
  const pattern = tests.map((test) => test.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const args = ['--runTestsByPath', ...specs, '--testNamePattern', pattern, '--json', '--outputFile', output];
  const { stderr } = spawnSync(process.execPath, [...JEST, ...args], {
    cwd: copy,
    timeout: TIMEOUT_MS * specs.length,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  if (!existsSync(output)) {
    process.stderr.write(stderr);
    return null;
  }
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report;
  for (const { assertionResults, message } of testResults)
    if (assertionResults.length === 0) process.stderr.write(`${message}\n`);
  const ran = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed');
  // Of several tests with one name, such as those of a table, each must pass, and one must fail.
  const statuses = new Map<string, string>();
  for (const { fullName, status } of ran)
    if (statuses.get(fullName) !== 'failed') statuses.set(fullName, status);
  return statuses;
}

const statusesOf = ({ test }: Mutant, statuses: ReadonlyMap<string, string>) =>
  [...statuses].filter(([name]) => name.includes(test)).map(([, status]) => status);

const words = process.argv.slice(2);
const mutants = readMutants().filter(
  ({ kind, fault, file }) =>
    words.length === 0 || words.some((word) => `${kind} ${fault} ${file}`.includes(word)),
);
const copy = copyOf();
const survivors: string[] = [];
try {
  const paths = sourcesOf(copy);
  const places = mutants.map((mutant) => ({ mutant, ...locate(mutant, copy, paths) }));
  const specs = [...new Set(places.map(({ spec }) => spec))];
  process.stdout.write(`${mutants.length} faults; first their ${specs.length} specs without them\n`);
  const sound = run(
    copy,
    specs,
    mutants.map(({ test }) => test),
  );
  for (const { mutant } of places) {
    const statuses = sound === null ? [] : statusesOf(mutant, sound);
    if (statuses.length > 0 && !statuses.includes('failed')) continue;
    throw new Error(`${mutant.spec}: "${mutant.test}" does not pass without a fault`);
  }
  for (const { mutant, file, spec, text } of places) {
    const before = readFileSync(join(copy, file), 'utf8');
    const start = performance.now();
    writeFileSync(join(copy, file), text);
    const built = builtFrom(file);
    const restore = built === null ? null : build(copy, built);
    const statuses = run(copy, [spec], [mutant.test]);
    restore?.();
    writeFileSync(join(copy, file), before);
    const isNoticed = statuses !== null && statusesOf(mutant, statuses).includes('failed');
    const why = statuses === null || statuses.size === 0 ? 'its test did not run' : 'survives';
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    const line = `${isNoticed ? 'noticed' : why}: ${mutant.kind}: ${mutant.fault} (${file}, ${spec})`;
    process.stdout.write(`${seconds} s ${line}\n`);
    if (!isNoticed) survivors.push(line);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.stdout.write(
  survivors.length === 0
    ? `Each of the ${mutants.length} faults fails a test\n`
    : `${survivors.length} of ${mutants.length} faults fail no test:\n${survivors.join('\n')}\n`,
);
process.exitCode = survivors.length === 0 ? 0 : 1;
