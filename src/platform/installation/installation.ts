import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What depends on how this package came to the machine: by git, or from a registry. */
export interface Installation {
  /** What a person types before the words of a command. */
  readonly command: string;
  /** The default of DATA_DIR. */
  readonly dataDir: string;
}

/** @param directory of the package or in it. */
export function installationAt(directory: string): Installation {
  const [, project] = /^(.*)[\\/]node_modules[\\/]/.exec(directory) ?? [];
  // The directory of a clone is that of Rcpt, so that `data` is unambiguous there.
  if (project === undefined) return { command: 'npx --no rcpt', dataDir: './data' };
  return { command: commandIn(project), dataDir: './rcpt-data' };
}

function commandIn(project: string): string {
  if (/[\\/]_npx[\\/]/.test(project)) return 'npx @rcpt/server';
  // The directory of global packages has no manifest.
  return existsSync(join(project, 'package.json')) ? 'npx rcpt' : 'rcpt';
}

export const INSTALLATION = installationAt(import.meta.dirname);
