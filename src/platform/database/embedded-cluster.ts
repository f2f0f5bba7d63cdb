import { execFile } from 'node:child_process';
import { lchown, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isLeftover, SERVER_ENVIRONMENT } from './embedded-binaries.js';
import type { PostgresBinaries } from './embedded-binaries.js';
import type { EmbeddedHome } from './embedded-home.js';

/**
 * Makes the home's cluster if there is none, and clears away what unfinished attempts have left.
 *
 * A cluster is made beside its place and renamed into it, so that it is there whole or not at all. Of two
 * makers at the same time one wins; the other finds its own attempt refused, or cleared away, and uses
 * the winner's.
 *
 * @throws Error with the words of initdb
 */
export async function ensureCluster(
  home: EmbeddedHome,
  binaries: PostgresBinaries,
  password: string,
): Promise<void> {
  if (!(await isThere(home.cluster))) await makeCluster(home, binaries, password);

  const leftovers = (await readdir(home.directory)).filter((name) => isLeftover(name, binaries));
  // A slower maker may still be writing to one of them; the next start takes what stays.
  await Promise.allSettled(leftovers.map((name) => rm(join(home.directory, name), { recursive: true })));
}

async function makeCluster(home: EmbeddedHome, binaries: PostgresBinaries, password: string): Promise<void> {
  const draft = await mkdtemp(`${home.cluster}-`);
  try {
    if (home.account) await lchown(draft, home.account.uid, home.account.gid);
    await initialise(draft, home, binaries, password);
    await rename(draft, home.cluster);
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 });
    if (!(await isThere(home.cluster))) throw error;
  }
}

async function initialise(
  cluster: string,
  home: EmbeddedHome,
  { initdb }: PostgresBinaries,
  password: string,
) {
  const passwordFile = `${cluster}.password`;
  try {
    const file = await open(passwordFile, 'wx', 0o600);
    await file.writeFile(password);
    if (home.account) await file.chown(home.account.uid, home.account.gid);
    await file.close();

    // Without --auth initdb trusts every local account; without --locale it takes the starter's.
    const options = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', '--username=postgres'];
    await promisify(execFile)(initdb, [...options, `--pwfile=${passwordFile}`, `--pgdata=${cluster}`], {
      ...home.account,
      cwd: '/',
      env: SERVER_ENVIRONMENT,
    });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`initdb could not make a database in ${home.directory}: ${stderr?.trim() || message}`);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function isThere(directory: string): Promise<boolean> {
  return stat(directory).then(
    () => true,
    () => false,
  );
}
