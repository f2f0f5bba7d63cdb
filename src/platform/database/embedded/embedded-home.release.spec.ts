import { afterEach, describe, expect, it } from '@jest/globals';
import { lstat, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirs, nonRootUid } from '../../../../test/support/database/data-dirs.js';
import { OtherProcess } from '../../../../test/support/database/other-process.js';
import { EmbeddedPostgres } from './embedded-postgres.js';

const isRoot = nonRootUid() !== undefined;

describe('the home of the embedded PostgreSQL', () => {
  const dirs = new DataDirs();

  afterEach(async () => {
    await OtherProcess.killAll();
    await dirs.removeAll();
  });

  it('is created where the server account can enter, if DATA_DIR is private', async () => {
    const dataDir = await dirs.next({ mode: 0o700 });
    const packageDir = await dirs.packageWithoutLinks(dataDir);
    const lines: string[] = [];

    const postgres = await EmbeddedPostgres.open({ dataDir, packageDir, log: (line) => lines.push(line) });
    const home = await dirs.homeOf(dataDir);
    const { uid } = await stat(join(home, 'cluster'));
    const other = new OtherProcess({ dataDir, packageDir });

    expect(await other.url).toBe(postgres.url);
    expect(uid).not.toBe(0);
    if (isRoot) {
      expect(home).toMatch(/^\/var\/lib\/rcpt\/[0-9a-f]{16}$/);
      expect((await stat('/var/lib/rcpt')).mode & 0o777).toBe(0o711);
      expect(await readlink(join(dataDir, 'postgres'))).toBe(home);
      expect(lines).toEqual([expect.stringContaining(home)]);
      expect(await readFile(join(home, 'belongs-to'), 'utf8')).toBe(`${join(dataDir, 'postgres')}\n`);
      expect(await readdir(home)).toContainEqual(expect.stringMatching(/^binaries-[\w.]+-beta\.\d+$/));
    } else {
      expect(home).toBe(join(dataDir, 'postgres'));
      expect(uid).toBe(process.getuid?.());
      expect(lines).toEqual([]);
    }
    await postgres.close();
  });

  it('is a new one after DATA_DIR was removed, and none if the target of its link does not exist', async () => {
    const dataDir = await dirs.next({ mode: 0o700 });
    const first = await open(dataDir);
    const home = await dirs.homeOf(dataDir);
    const { ino } = await stat(join(home, 'cluster'));
    await first.close();
    await rm(dataDir, { recursive: true });

    const second = await open(dataDir);

    const newHome = await dirs.homeOf(dataDir);
    expect((await stat(join(newHome, 'cluster'))).ino).not.toBe(ino);
    expect(second.url.split('@')[0]).not.toBe(first.url.split('@')[0]);
    expect(newHome === home).toBe(!isRoot);
    await second.close();

    expect((await lstat(join(dataDir, 'postgres'))).isSymbolicLink()).toBe(isRoot);
    if (!isRoot) return;
    await rm(newHome, { recursive: true });
    await expect(open(dataDir)).rejects.toThrow('a link to a database that does not exist');
  });

  it('is inside DATA_DIR and owned by the user if the process does not run as root, and works for root', async () => {
    const uid = nonRootUid();
    const dataDir = await dirs.next({ mode: 0o700, uid });
    const packageDir = await dirs.packageBeside(dataDir);
    const owner = new OtherProcess({ dataDir, packageDir, uid });
    const password = (await owner.url).split('@')[0];

    const home = await lstat(join(dataDir, 'postgres'));
    expect(home.isDirectory()).toBe(true);
    expect(home.mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'postgres', 'cluster'))).uid).toBe(uid ?? process.getuid?.());
    expect(owner.log).toEqual([]);
    await owner.close();

    const postgres = await open(dataDir);
    expect(postgres.url.split('@')[0]).toBe(password);
    await postgres.close();

    const again = new OtherProcess({ dataDir, packageDir, uid });
    expect((await again.url).split('@')[0]).toBe(password);
  });
});

function open(dataDir: string): Promise<EmbeddedPostgres> {
  return EmbeddedPostgres.open({ dataDir, log: () => undefined });
}
