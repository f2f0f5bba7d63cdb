import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Contestant } from './contest.js';

const run = promisify(execFile);
const HERE = import.meta.dirname;
const FOLDER = join(HERE, 'rivals');
/** What is built stays here, outside of the repository. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'rcpt-benchmark');
const BUILD_MS = 3_600_000;

interface Rival {
  name: string;
  /** The program that builds it, and what installs that. */
  needs: { command: string; from: string };
  /** @returns the version, and the command that runs it. */
  build: () => Promise<Omit<Contestant, 'name'>>;
}

const NPM = { command: 'npm', from: 'https://nodejs.org' };

export const RIVALS: readonly Rival[] = [
  {
    name: 'rcpt',
    needs: NPM,
    build: async () => {
      const { version } = JSON.parse(await readFile(join(HERE, '../../package.json'), 'utf8')) as {
        version: string;
      };
      return { version, command: [process.execPath, join(FOLDER, 'rcpt/verify.mjs')] };
    },
  },
  {
    name: 'check-if-email-exists',
    needs: { command: 'cargo', from: 'https://rustup.rs' },
    build: async () => {
      const cwd = await copied('check-if-email-exists');
      await run('cargo', ['build', '--release', '--locked'], { cwd, timeout: BUILD_MS });
      return {
        version: await pinnedIn('check-if-email-exists/Cargo.toml', /"=([\d.]+)"/),
        command: [join(cwd, 'target/release/check-if-email-exists-rival')],
      };
    },
  },
  {
    name: 'aftership',
    needs: { command: 'go', from: 'https://go.dev/doc/install' },
    build: async () => {
      const cwd = await copied('aftership');
      await run('go', ['build', '-o', 'rival', '.'], { cwd, timeout: BUILD_MS });
      return {
        version: await pinnedIn('aftership/go.mod', /email-verifier v([\d.]+)/),
        command: [join(cwd, 'rival')],
      };
    },
  },
  fromNpm('deep-email-validator'),
  fromNpm('email-verify'),
];

function fromNpm(name: string): Rival {
  return {
    name,
    needs: NPM,
    build: async () => {
      const cwd = await npmPeers();
      const manifest = await readFile(join(cwd, 'node_modules', name, 'package.json'), 'utf8');
      const { version } = JSON.parse(manifest) as { version: string };
      return { version, command: [process.execPath, join(FOLDER, name, 'verify.cjs'), cwd] };
    },
  };
}

/** Installs the peers of npm. @returns the folder that has their `node_modules`. */
export async function npmPeers(): Promise<string> {
  const cwd = await copied('npm');
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd, timeout: BUILD_MS });
  return cwd;
}

async function copied(name: string): Promise<string> {
  const cwd = join(CACHE, name);
  // So that cargo sees that nothing has changed.
  await cp(join(FOLDER, name), cwd, { recursive: true, preserveTimestamps: true });
  return cwd;
}

async function pinnedIn(file: string, pattern: RegExp): Promise<string> {
  return pattern.exec(await readFile(join(FOLDER, file), 'utf8'))?.[1] ?? '';
}

/** @returns null, and one line on stderr, if it cannot be built on this machine. */
export async function contestantOf({ name, needs, build }: Rival): Promise<Contestant | null> {
  try {
    await run(needs.command, ['--version']).catch(() => run(needs.command, ['version']));
  } catch {
    process.stderr.write(`Without ${name}: it needs ${needs.command} (${needs.from})\n`);
    return null;
  }
  process.stderr.write(`Preparing ${name} …\n`);
  try {
    return { name, ...(await build()) };
  } catch (error) {
    const [why = ''] = String((error as { stderr?: string }).stderr ?? error)
      .trim()
      .split('\n')
      .slice(-1);
    process.stderr.write(`Without ${name}: ${needs.command} could not build it (${why})\n`);
    return null;
  }
}
