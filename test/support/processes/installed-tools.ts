import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { isOnMachine } from '../jest/machine.js';

const OPTIONS = [
  '--ignore-scripts',
  '--omit=optional',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--fetch-retries=0',
  '--fetch-timeout=20000',
];

/** Packages that only one test or benchmark needs, outside of this repository. */
export interface InstalledTools {
  /** The URL of a module of these packages. */
  url(name: string): string;
  remove(): Promise<void>;
}

/** Installs packages, such as `autocannon@9.0.0`. @returns null, and the reason on stderr, without a registry. */
export async function installedTools(packages: readonly string[]): Promise<InstalledTools | null> {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-tools-'));
  const remove = () => rm(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  try {
    await promisify(execFile)('npm', ['install', ...OPTIONS, ...packages], { cwd: folder });
  } catch (error) {
    await remove();
    const [why = ''] = String((error as { stderr?: string }).stderr).split('\n');
    process.stderr.write(`Not run without ${packages.join(' ')} from a registry of packages (${why})\n`);
    isOnMachine('npm packages', false);
    return null;
  }
  const { resolve } = createRequire(join(folder, 'package.json'));
  return { url: (name) => pathToFileURL(resolve(name)).href, remove };
}
