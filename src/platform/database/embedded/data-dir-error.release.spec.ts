import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../config/config.js';
import { inDataDir } from './data-dir-error.js';

describe('an error of the file system in DATA_DIR', () => {
  let parent: string;
  let file: string;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'rcpt-'));
    file = join(parent, 'file');
    await writeFile(file, '');
  });
  afterAll(() => rm(parent, { recursive: true, force: true }));

  const errorOf = (dataDir: string, work: () => Promise<unknown>) =>
    inDataDir(dataDir, work).then(
      () => null,
      (error: Error) => error,
    );

  it('names DATA_DIR, the path and the cause, when DATA_DIR or a part of it is a file', async () => {
    for (const dataDir of [file, join(file, 'data')]) {
      const error = await errorOf(dataDir, () => mkdir(dataDir, { recursive: true }));
      expect(error).toBeInstanceOf(ConfigError);
      expect(error?.message).toMatch(/^DATA_DIR \(\S+\) cannot be used: \S+: .* file, not a directory \(E/);
      expect(error?.message).toContain(dataDir);
    }
  });

  // Root may write everywhere, so that the error is not real here.
  it.each(['EACCES', 'EROFS'])('names DATA_DIR for %s', async (code) => {
    const denied = Object.assign(new Error(code), { code, path: '/srv/rcpt/secret-key' });
    const error = await errorOf('/srv/rcpt', () => Promise.reject(denied));
    expect(error?.message).toMatch(
      /^DATA_DIR \(\/srv\/rcpt\) cannot be used: \/srv\/rcpt\/secret-key: .*set DATA_DIR/,
    );
  });

  it.each(['ENOSPC', 'EDQUOT', 'EIO'])(
    'of the disk, %s, is no wrong setting, and keeps its code',
    async (code) => {
      const full = Object.assign(new Error(code), { code });
      const error = await errorOf('/srv/rcpt', () => Promise.reject(full));
      expect(error).not.toBeInstanceOf(ConfigError);
      expect(error).toMatchObject({
        code,
        message: expect.stringMatching(/^DATA_DIR \(\/srv\/rcpt\) cannot be used: the /),
      });
    },
  );

  it('is unchanged for another path, and so are other errors', async () => {
    const elsewhere = Object.assign(new Error('EACCES'), { code: 'EACCES', path: '/var/lib/rcpt' });
    for (const error of [elsewhere, new Error('x')])
      expect(await errorOf('/srv/rcpt', () => Promise.reject(error))).toBe(error);
  });
});
