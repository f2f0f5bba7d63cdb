import { lchown, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeftover, type PostgresBinaries } from './embedded-binaries.js';
import type { EmbeddedHome } from './embedded-home.js';

/**
 * Creates the cluster if it does not exist, and removes files of interrupted attempts. A cluster is
 * created under a temporary name and renamed, so that it is complete or absent. If two processes create
 * one at the same time, one succeeds and the other uses that cluster.
 *
 * @throws Error with the message of initdb
 */
export async function ensureCluster(
  home: EmbeddedHome,
  binaries: PostgresBinaries,
  password: string,
): Promise<void> {
  if (!(await exists(home.cluster))) await makeCluster(home, binaries, password);
  const leftovers = (await readdir(home.directory)).filter((name) => isLeftover(name, binaries));
  // Another process may still write to one of them. The next start removes what remains.
  await Promise.allSettled(leftovers.map((name) => rm(join(home.directory, name), { recursive: true })));
}

async function makeCluster(home: EmbeddedHome, binaries: PostgresBinaries, password: string): Promise<void> {
  const { account, directory, cluster } = home;
  const draft = await mkdtemp(`${cluster}-`);
  const passwordFile = `${draft}.password`;
  try {
    if (account) await lchown(draft, account.uid, account.gid);
    const file = await open(passwordFile, 'wx', 0o600);
    await file.writeFile(password);
    if (account) await file.chown(account.uid, account.gid);
    await file.close();
    // Without --auth initdb trusts every local account; without --locale it takes the locale of this process.
    const options = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', '--username=postgres'];
    await binaries.run('initdb', [...options, `--pwfile=${passwordFile}`, `--pgdata=${draft}`], account);
    await rename(draft, cluster);
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 });
    if (await exists(cluster)) return;
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`initdb could not make a database in ${directory}: ${stderr?.trim() || message}`);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

function exists(directory: string): Promise<boolean> {
  return stat(directory).then(
    () => true,
    () => false,
  );
}
