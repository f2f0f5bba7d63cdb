import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProvidersFile } from './providers-file.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-providers-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(table: unknown) {
  const path = join(folder, 'providers.json');
  await writeFile(path, JSON.stringify(table));
  return readProvidersFile(path);
}

describe('the file of providers', () => {
  it('changes and adds providers', async () => {
    const changes = await read({
      google: { connections: 10, recipients_per_connection: null },
      ours: {
        connections: 2,
        connections_per_host: 1,
        recipients_per_connection: 100,
        mx: ['mx*.ours.example'],
      },
      'hoster.example': { connections: 3, accepts_all: true },
      yahoo: { accepts_all: false },
    });
    expect(Object.fromEntries(changes)).toEqual({
      google: { connections: 10, recipientsPerConnection: null },
      ours: { connections: 2, connectionsPerHost: 1, recipientsPerConnection: 100, mx: ['mx*.ours.example'] },
      'hoster.example': { connections: 3, acceptsAll: true },
      yahoo: { acceptsAll: false },
    });
  });

  it.each([
    [[], 'must be an object: the name of each provider and what is known of it'],
    [{ google: 5 }, 'google must be an object'],
    [{ Google: {} }, '"Google" is not a valid name'],
    [{ ours: { connections: 1 } }, 'ours is not in the table of providers: give its MX hosts as mx'],
    [{ google: { connections: 0 } }, 'google.connections must be a whole number from 1 to 1000'],
    [{ google: { per_minute: 60 } }, 'google.per_minute is not known; omit it'],
    [{ google: { accepts_all: 'yes' } }, 'google.accepts_all must be true or false'],
    [{ ours: { mx: ['*'] } }, 'ours.mx must be host names'],
    [{ ours: { mx: [] } }, 'ours.mx must have a pattern'],
    [{ ours: { mx: ['mx.ours.example'], connections: 1.5 } }, 'ours.connections must be a whole number'],
  ])('is refused with what is wrong: %j', async (table, problem) => {
    await expect(read(table)).rejects.toThrow(problem);
  });
});
