import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What depends on how this package came to the machine: by git, or from a registry. */
export interface Installation {
  /** What a person types before the words of a command. */
  readonly command: string;
  /** The default of DATA_DIR. */
  readonly dataDir: string;
}

// The directory of a clone is that of Rcpt, so that `data` is unambiguous there.
const CLONE: Installation = { command: 'npx --no rcpt', dataDir: './data' };

/** @param directory of the package or in it. */
export function installationAt(directory: string): Installation {
  const [, project] = /^(.*)[\\/]node_modules[\\/]/.exec(directory) ?? [];
  if (project === undefined) return hasSource(directory) ? CLONE : { command: 'rcpt', dataDir: './data' };
  return { command: commandIn(project), dataDir: './rcpt-data' };
}

/** An image has no source, and the command on its path. */
function hasSource(directory: string): boolean {
  return existsSync(directory.replace(/^(.*[\\/])(?:src|dist)(?:[\\/].*)?$/, '$1src'));
}

function commandIn(project: string): string {
  if (/[\\/]_npx[\\/]/.test(project)) return 'npx @rcpt/server';
  // The directory of global packages has no manifest.
  return existsSync(join(project, 'package.json')) ? 'npx rcpt' : 'rcpt';
}

export const INSTALLATION = installationAt(import.meta.dirname);
