import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../config/config.js';
import { readOrCreateSecretFile } from './secret-file.js';

describe('readOrCreateSecretFile', () => {
  let directory: string;
  let path: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'rcpt-secret-'));
    path = join(directory, 'data', 'secret');
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('creates the secret once, in a file that only its owner can read', async () => {
    await expect(readOrCreateSecretFile(path, () => 'first')).resolves.toBe('first');
    await expect(readOrCreateSecretFile(path, () => 'second')).resolves.toBe('first');

    await expect(readFile(path, 'utf8')).resolves.toBe('first\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('returns the same secret to concurrent callers, and leaves no temporary files', async () => {
    let made = 0;
    const create = () => readOrCreateSecretFile(path, () => `secret ${++made}`);

    const secrets = await Promise.all(Array.from({ length: 20 }, create));

    expect(made).toBeGreaterThan(1);
    expect(new Set(secrets)).toEqual(new Set([(await readFile(path, 'utf8')).trim()]));
    await expect(readdir(join(directory, 'data'))).resolves.toEqual(['secret']);
  });

  it.each([0o644, 0o604, 0o602, 0o601, 0o666])(
    'rejects a file with mode %o, which others can open, and names the command that helps',
    async (mode) => {
      await readOrCreateSecretFile(path, () => 'secret');
      await chmod(path, mode);
      const refusal = readOrCreateSecretFile(path, () => 'other');
      await expect(refusal).rejects.toBeInstanceOf(ConfigError);
      await expect(refusal).rejects.toThrow(`run \`chmod 600 ${path}\``);
    },
  );

  it.each([0o600, 0o400, 0o640, 0o440])('accepts mode %o, of its owner and group only', async (mode) => {
    await readOrCreateSecretFile(path, () => 'secret');
    await chmod(path, mode);
    await expect(readOrCreateSecretFile(path, () => 'other')).resolves.toBe('secret');
  });

  it('rejects an empty file', async () => {
    const empty = join(directory, 'empty');
    await writeFile(empty, '\n');

    await expect(readOrCreateSecretFile(empty, () => 'secret')).rejects.toThrow('is empty');
  });
});
