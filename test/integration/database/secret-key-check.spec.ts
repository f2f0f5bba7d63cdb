import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { ConfigError } from '../../../src/platform/config/config.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { checkSecretKeys } from '../../../src/platform/database/secret-key-check.js';
import { SecretKeys } from '../../../src/platform/secrets/secret-keys.js';
import { aFreshDatabase } from '../../support/database/fresh-database.js';

const [OLD, NEW, OTHER] = Array.from({ length: 3 }, () => randomBytes(32).toString('base64')) as [
  string,
  string,
  string,
];

describe('SECRET_KEY at the start of a process', () => {
  let database: Awaited<ReturnType<typeof aFreshDatabase>>;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await aFreshDatabase();
    dataSource = await createDataSource(database.url, []).initialize();
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const start = (...keys: string[]) => checkSecretKeys(dataSource, new SecretKeys(keys));
  const stored = () => dataSource.query<{ ciphertext: string }[]>('SELECT ciphertext FROM secret_key_check');

  it('is accepted again after the first start, and another one is refused with a sentence', async () => {
    await start(OLD);
    const [first] = await stored();
    await start(OLD);
    await expect(start(OTHER)).rejects.toThrow(ConfigError);
    await expect(start(OTHER)).rejects.toThrow(
      /^SECRET_KEY is not the key that this database was written with:/,
    );
    expect(await stored()).toEqual([first]);
  });

  it('is decided by one of several first starts at the same time', async () => {
    const keys = [OLD, NEW, OTHER, OLD, NEW, OTHER];
    const starts = await Promise.allSettled(keys.map((key) => start(key)));
    const accepted = new Set(keys.filter((_, n) => starts[n]?.status === 'fulfilled'));
    expect(accepted.size).toBe(1);
    expect(await stored()).toHaveLength(1);
    await start(...accepted);
  });

  it('can be rotated: with both keys, then without the old one', async () => {
    await start(OLD);
    await start(OLD, NEW);
    await expect(start(NEW)).rejects.toThrow(ConfigError);
    await start(NEW, OLD);
    await start(NEW);
    await expect(start(OLD)).rejects.toThrow(ConfigError);
  });

  it('is not refused while processes with both keys in either order start at the same time', async () => {
    await start(OLD);
    for (let round = 0; round < 10; round++) {
      const lists = Array.from({ length: 8 }, (_, n) => ((n + round) % 2 === 0 ? [OLD, NEW] : [NEW, OLD]));
      await Promise.all(lists.map((keys) => start(...keys)));
    }
    expect(await stored()).toHaveLength(1);
    await start(NEW, OLD);
    await start(NEW);
  });

  it('whose first key is not in use decrypts with any key of the list', async () => {
    await start(OLD);
    await start(OTHER, NEW, OLD);
    await start(OTHER);
  });

  it('is refused when the stored text was changed', async () => {
    await start(OLD);
    await dataSource.query(`UPDATE secret_key_check SET ciphertext = 'v1.x.AAAA'`);
    await expect(start(OLD)).rejects.toThrow(ConfigError);
  });
});
