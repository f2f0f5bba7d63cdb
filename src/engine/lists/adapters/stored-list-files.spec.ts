import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../../../../test/support/time/fake-clock.js';
import { CurrentDomainLists } from './domain-lists.js';
import { StoredListFiles } from './stored-list-files.js';

let directory: string;
let path: string;
let clock: FakeClock;
let faults: unknown[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rcpt-lists-'));
  path = join(directory, 'lists', 'disposable.json');
  clock = new FakeClock();
  faults = [];
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const storedLists = () => new StoredListFiles(path, clock, (error) => faults.push(error));
const aList = (...domains: string[]) => ({
  name: 'https://lists.example/disposable.txt',
  licence: 'CC0-1.0',
  readAt: new Date('2026-11-21T10:00:00Z'),
  sha256: 'ab'.repeat(32),
  domains: new Set(domains),
});

describe('stored lists', () => {
  it('are those of the packages until they are replaced', async () => {
    const files = storedLists();
    expect(files.current().map(({ name }) => name.replace(/ .*/, ''))).toEqual([
      'mailchecker',
      'disposable-email-domains-js',
    ]);
    await files.replace([aList('fresh.example')]);
    expect(files.current()).toEqual([aList('fresh.example')]);
  });

  it('are used by another process within seconds, with their source', async () => {
    const [here, there] = [storedLists(), storedLists()];
    const lists = new CurrentDomainLists(there);
    expect(lists.disposable('mailinator.com')).not.toBeNull();
    await here.replace([aList('fresh.example')]);
    await clock.advance(2_500);
    expect(lists.disposable('mailinator.com')).toBeNull();
    expect(lists.disposable('mx.fresh.example')).toEqual({
      pattern: 'fresh.example',
      source: 'https://lists.example/disposable.txt (CC0-1.0, read 2026-11-21); 1 of 1 lists',
    });
  });

  it('stay in force when the file is broken, which is reported once', async () => {
    const files = storedLists();
    await files.replace([aList('fresh.example')]);
    files.current();
    await writeFile(path, '[{"name":');
    await utimes(path, 1, 1);
    for (let read = 0; read < 2; read++) {
      await clock.advance(2_500);
      expect(files.current()).toEqual([aList('fresh.example')]);
    }
    expect(faults).toHaveLength(1);
  });

  it('stay in force when the file contains fewer domains than its count', async () => {
    const files = storedLists();
    await files.replace([aList('fresh.example', 'other.example')]);
    const before = files.current();
    await writeFile(path, (await readFile(path, 'utf8')).replace(',"other.example"', ''));
    await utimes(path, 1, 1);
    await clock.advance(2_500);
    expect(files.current()).toBe(before);
    expect(faults).toHaveLength(1);
  });

  it('are those of the packages again after the file was deleted', async () => {
    const files = storedLists();
    await files.replace([aList('fresh.example')]);
    expect(files.current()).toHaveLength(1);
    await rm(path);
    await clock.advance(2_500);
    expect(files.current()).toHaveLength(2);
  });

  it('leave no temporary files', async () => {
    await storedLists().replace([aList('fresh.example')]);
    expect(await readdir(join(directory, 'lists'))).toEqual(['disposable.json']);
  });
});
