import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const SUPPORT = join(import.meta.dirname, '../support');
const DOCUMENT = join(import.meta.dirname, '../../docs/decisions/tests.md');

/** Folders in which every file writes what another program sends. */
const FOLDERS = ['mcp', 'oauth', 'oidc', 'outcomes', 'replies', 'schedules', 'dns'];
/** It answers requests, or starts another program. */
const PLAYS = /\b(?:createServer|createSocket|SMTPServer|new Provider)\(|\bspawn(?:Sync)?\('/;
/** They start or serve our own programs, measure, or help to read what was written. */
const OURS = [
  'app/planted-app.ts',
  'architecture/python-programs.ts',
  'clients/python.ts',
  'images/image-build.ts',
  'outcomes/readings.ts',
  'processes/free-port.ts',
  'processes/installed-tools.ts',
  'processes/network-namespaces.ts',
  'processes/rcpt-process.ts',
  'schedules/schedule-app.ts',
];

/** The rows of the table: what is played, the files, the source. */
function rows(): { title: string; patterns: string[]; source: string }[] {
  const text = readFileSync(DOCUMENT, 'utf8').split('\n## Counterparts are recorded\n')[1] ?? '';
  return [...text.matchAll(/^\| (?!What it plays|---)(.+?) \| (.+?) \| (.+?) \|$/gm)].map(
    ([, title = '', files = '', source = '']) => ({
      title,
      source,
      patterns: [...files.matchAll(/`([^`]+)`/g)].map(([, pattern = '']) => pattern),
    }),
  );
}

const files = readdirSync(SUPPORT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(SUPPORT, join(entry.parentPath, entry.name)));

/** `*` stands for any characters. */
function filesOf(pattern: string): string[] {
  const written = pattern.split('*').map((part) => part.replaceAll('.', '\\.'));
  return files.filter((file) => new RegExp(`^${written.join('.*')}$`).test(file));
}

describe('the table of counterparts', () => {
  it('names each file of test/support that plays another program', () => {
    const named = new Set([...rows().flatMap(({ patterns }) => patterns.flatMap(filesOf)), ...OURS]);
    const playing = files
      .filter((file) => /\.m?ts$|\.mjs$/.test(file))
      .filter((file) => !file.startsWith('recorded/'))
      .filter(
        (file) =>
          FOLDERS.some((folder) => file.startsWith(`${folder}/`)) ||
          PLAYS.test(readFileSync(join(SUPPORT, file), 'utf8')),
      );
    expect(playing.filter((file) => !named.has(file))).toEqual([]);
  });

  it.each(rows())('names files that exist: $title', ({ patterns }) => {
    for (const pattern of patterns) expect([pattern, filesOf(pattern).length > 0]).toEqual([pattern, true]);
  });

  it.each(rows())('says where it is from: $title', ({ source }) => {
    expect(source).toMatch(/\b(?:run|recorded|published|ours|replies|package)\b/);
    for (const [, path = ''] of source.matchAll(/`(recorded\/\w+\/)`/g))
      expect([path, filesOf(`${path}*`).length > 0]).toEqual([path, true]);
  });

  it('names each recording', () => {
    const sources = rows().map(({ source }) => source);
    for (const folder of new Set(filesOf('recorded/*').map((path) => path.split('/')[1])))
      expect([folder, sources.some((source) => source.includes(`recorded/${folder}/`))]).toEqual([
        folder,
        true,
      ]);
  });
});
