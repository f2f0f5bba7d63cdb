import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ARCHIVED } from '../../../src/modules/schema.js';
import { archivedOf, BackupScene } from '../../support/database/backup-scene.js';
import { contentsOf } from '../../support/database/planted-rows.js';
import { isOnMachine } from '../../support/jest/machine.js';

const has = (...programs: string[]) =>
  programs.every((program) => spawnSync(program, ['--version']).error === undefined);
const isComplete = [
  isOnMachine('age', has('age', 'age-keygen')),
  isOnMachine('psql', has('psql')),
  isOnMachine('script', has('script')),
  isOnMachine('tar and gzip', has('tar', 'gzip')),
].every(Boolean);

const PASSPHRASE = 'correct horse battery staple';

/** What docs/operations.md says about archives, with the programs of the system and without Rcpt. */
(isComplete ? describe : describe.skip)('an archive of rcpt backup, without Rcpt', () => {
  let scene: BackupScene;
  let archive: string;
  let document: string;

  beforeAll(async () => {
    scene = await BackupScene.open();
    archive = join(scene.folder, 'rcpt.age');
    document = await readFile(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
    const { code, said } = await shell('age-keygen -o rcpt.key 2> log; age-keygen -y rcpt.key');
    expect(code).toBe(0);
    const recipient = said.trim();
    expect(await scene.backup(archive, '--recipient', recipient)).toMatchObject({ code: 0 });
  });
  beforeEach(() => scene.next());
  afterAll(() => scene.close());

  /** @param asked answers a question at the terminal. */
  const shell = async (command: string, env: Record<string, string> = {}, asked?: string) => {
    const program = asked === undefined ? command : `script -qec '${command}' /dev/null`;
    const child = spawn('bash', ['--norc', '-c', `set -euo pipefail; ${program}`], {
      cwd: scene.folder,
      env: { PATH: process.env.PATH ?? '', TZ: 'UTC', LC_ALL: 'C', ...env },
    });
    if (asked !== undefined) child.stdout.once('data', () => child.stdin.write(`${asked}\r`));
    const [said, err] = [text(child.stdout), text(child.stderr)];
    const [code] = (await once(child, 'close')) as [number];
    return { code, said: (await said) + (await err) };
  };
  /** A command of the document, with other names of files. */
  const documented = (command: string) => {
    expect(document).toContain(command);
    return command;
  };

  it('is listed, encrypted for a recipient', async () => {
    const { code, said } = await shell(documented('age -d -i rcpt.key rcpt.age | tar tz'));
    const names = said.trim().split('\n');
    expect([code, names[0], names.at(-1)]).toEqual([0, 'manifest.json', 'end.json']);
    expect(names.slice(1, -1).sort()).toEqual(ARCHIVED.map((table) => `tables/${table}.copy`).sort());
  });

  it('is listed, encrypted with a passphrase', async () => {
    const env = { RCPT_PASSPHRASE: PASSPHRASE };
    const path = join(scene.folder, 'passphrase.age');
    expect(await scene.rcpt(['backup', path], scene.source.url, env)).toMatchObject({ code: 0 });
    const { code, said } = await shell('age -d -o opened.tar.gz passphrase.age', {}, PASSPHRASE);
    expect([code, said]).toEqual([0, expect.stringContaining('Enter passphrase')]);
    expect((await shell('tar tzf opened.tar.gz')).said).toMatch(/^manifest\.json\ntables\//);
  });

  it('gives the rows of one table to psql', async () => {
    expect((await scene.rcpt(['migrate'], scene.target.url)).code).toBe(0);
    const command = documented(
      'age -d -i rcpt.key rcpt.age | tar xzOf - tables/teams.copy | psql "$DATABASE_URL" -c "COPY teams FROM STDIN"',
    );
    const { code, said } = await shell(command, { DATABASE_URL: scene.target.url });
    expect([code, said]).toEqual([0, 'COPY 3\n']);
    expect((await contentsOf(scene.target.url)).teams).toEqual((await contentsOf(scene.source.url)).teams);
  });

  it('is restored after it was packed and encrypted again by hand', async () => {
    await writeFile(
      join(scene.folder, 'again.sh'),
      `mkdir opened
       age -d -i rcpt.key rcpt.age | tar xz -C opened
       age -d -i rcpt.key rcpt.age | tar tz > names
       tar cz -C opened -T names | age -r "$(age-keygen -y rcpt.key)" > again.age`,
    );
    expect(await shell('. ./again.sh')).toEqual({ code: 0, said: '' });
    const path = join(scene.folder, 'again.age');
    const identity = join(scene.folder, 'rcpt.key');
    expect(await scene.restore([path, '--identity', identity])).toMatchObject({ code: 0, err: '' });
    expect(await archivedOf(scene.target.url)).toEqual(await archivedOf(scene.source.url));
  });

  it('is restored from what age has decrypted', async () => {
    expect((await shell('age -d -i rcpt.key rcpt.age > plain.tar.gz')).code).toBe(0);
    expect(await scene.restore([join(scene.folder, 'plain.tar.gz')])).toMatchObject({ code: 0, err: '' });
  });
});
