import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INSTALLATION, installationAt } from './installation.js';

let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'rcpt-project-'));
  await writeFile(join(project, 'package.json'), '{}');
});
afterAll(() => rm(project, { recursive: true }));

describe('the command in messages, and the default of DATA_DIR', () => {
  it('are those of a clone outside node_modules', () => {
    expect(INSTALLATION).toEqual({ command: 'npx --no rcpt', dataDir: './data' });
  });

  it('are those of an image where there is no source', () => {
    expect(installationAt(join(project, 'dist/platform/installation'))).toEqual({
      command: 'rcpt',
      dataDir: './data',
    });
  });

  it.each([
    ['Linux', '/usr/local/lib/node_modules/@rcpt/server'],
    ['Windows', String.raw`C:\Users\jane\AppData\Roaming\npm\node_modules\@rcpt\server`],
  ])('are those of a global command, on %s', (_, directory) => {
    expect(installationAt(directory)).toEqual({ command: 'rcpt', dataDir: './rcpt-data' });
  });

  it('are those of npx for a package in its cache', () => {
    const directory = '/home/jane/.npm/_npx/0123456789abcdef/node_modules/@rcpt/server/dist';
    expect(installationAt(directory)).toEqual({ command: 'npx @rcpt/server', dataDir: './rcpt-data' });
  });

  it('are those of the project in which the package is installed', () => {
    const directory = join(project, 'node_modules/@rcpt/server');
    expect(installationAt(directory)).toEqual({ command: 'npx rcpt', dataDir: './rcpt-data' });
  });
});
