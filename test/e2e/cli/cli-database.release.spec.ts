import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anApp, type TestApp } from '../../support/app/app.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const EX_USAGE = 64;
const EX_CONFIG = 78;
const CREATE = ['account', 'create', '--email', 'ada@example.com'];

describe('rcpt in a folder without a database', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });
  const aFolder = async () => {
    folders.push(await mkdtemp(join(tmpdir(), 'rcpt-empty-')));
    return folders[0]!;
  };

  it.each([
    ['account create', CREATE, true],
    ['migrate', ['migrate'], true],
    ['keys list', ['keys', 'list', '--team', 'team_1'], false],
    ['teams list', ['teams', 'list'], false],
    ['users list', ['users', 'list'], false],
    ['users erase', ['users', 'erase', 'a@example.com'], false],
    ['tier set', ['tier', 'set', 'team_1', 'free'], false],
    ['audit', ['audit'], false],
    ['disposable pending', ['disposable', 'pending'], false],
    ['disposable show', ['disposable', 'show', 'example.com'], false],
  ])('%s makes none, and says where to run it', async (_, args, canCreate) => {
    const DATA_DIR = join(await aFolder(), 'data');
    const { code, out, err } = await runRcpt(args, { DATA_DIR });
    expect([code, out]).toEqual([EX_CONFIG, '']);
    expect(err).toContain(`there is no database in ${DATA_DIR}, and DATABASE_URL is not set`);
    expect(err.includes('add --create')).toBe(canCreate);
    expect(await readdir(folders[0]!)).toEqual([]);
  });

  it('account create --create makes one, which later commands use', async () => {
    const DATA_DIR = join(await aFolder(), 'data');
    expect(await runRcpt([...CREATE, '--create'], { DATA_DIR })).toMatchObject({ code: 0, err: '' });
    const { code, out } = await runRcpt(['teams', 'list'], { DATA_DIR });
    expect([code, out]).toEqual([0, expect.stringContaining('ada@example.com')]);
  });
});

describe('rcpt account create, for a user who exists', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await anApp();
  });
  afterAll(() => app.stop());
  const create = (...args: string[]) => runRcpt([...CREATE, ...args], app.shared);
  const teams = async () => (await runRcpt(['teams', 'list'], app.shared)).out.trim().split('\n').length;

  it('names the user and the teams, and creates nothing; a team with another name is created', async () => {
    expect(await create()).toMatchObject({ code: 0, err: '' });
    const before = await teams();
    for (const args of [[], ['--email', 'ADA@Example.com'], ['--team', 'My team']]) {
      const { code, out, err } = await create(...args);
      expect([code, out]).toEqual([EX_USAGE, '']);
      expect(err).toMatch(
        /^rcpt: ada@example\.com is the user usr_\w+ of "My team" \(team_\w+\), and nothing was created\. .*rcpt keys create --team team_\w+ --user usr_\w+ --name NAME\. .*--team\.\n$/,
      );
    }
    expect(await teams()).toBe(before);
    expect(await create('--team', 'Another')).toMatchObject({ code: 0, err: '' });
    expect(await teams()).toBe(before + 1);
  });
});
