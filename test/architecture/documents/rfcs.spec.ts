import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `RFC 5321` → its title, and the titles of the sections that are cited. */
type Table = Readonly<Record<string, { title: string; sections?: Readonly<Record<string, string>> }>>;

const root = join(import.meta.dirname, '../../..');
const FOLDERS = ['src', 'docs', 'test', 'bench', 'console/src', 'widget/src', 'clients', 'deploy'];
const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
const TEXT = /\.(?:tsx?|m?js|md|py|sh|ya?ml)$/;
/** Replies of mail servers, which cite what they like; and the samples of this test. */
const NOT_OURS =
  /^(?:test\/support\/replies\/|bench\/replies\/|test\/architecture\/documents\/rfcs\.spec\.ts$)|\/node_modules\//;

/** Lines of a comment are one text: a citation may be wrapped. */
const unwrapped = (text: string) => text.replace(/\n\s*(?:\*|\/\/|#)?\s*/g, ' ');

/** What is cited: `RFC 5321`, and `RFC 5321 §4.5.1` for each of its sections. */
function citedIn(text: string): string[] {
  const citations = unwrapped(text).matchAll(
    /RFC (\d+(?:bis)?)((?:,?(?: and| or| to)? §[\dA-Z]+(?:\.\d+)*)*)/g,
  );
  return [...citations].flatMap(([, number = '', sections = '']) => [
    `RFC ${number}`,
    ...[...sections.matchAll(/§([\dA-Z.]*[\dA-Z])/g)].map(([, section]) => `RFC ${number} §${section}`),
  ]);
}

/** Citations in another form, which `citedIn` would overlook. Headers have the type `RFC822`. */
function oddIn(text: string): string[] {
  return (
    unwrapped(text).match(/RFC(?!822)\d{3,5}|RFC \d+,? (?:[Ss]ections?|[Aa]ppendix|[A-Z]\.\d|§ )/g) ?? []
  );
}

const rowsOf = (table: Table) =>
  Object.entries(table).flatMap(([rfc, { sections = {} }]) => [
    rfc,
    ...Object.keys(sections).map((section) => `${rfc} §${section}`),
  ]);

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
}

describe('citations of RFCs', () => {
  let table: Table;
  const texts = new Map<string, string>();

  beforeAll(async () => {
    table = JSON.parse(await readFile(join(root, 'test/architecture/documents/rfcs.json'), 'utf8')) as Table;
    const files = [...(await Promise.all(FOLDERS.map(filesIn))).flat(), ...PAGES];
    for (const file of files.filter((name) => TEXT.test(name) && !NOT_OURS.test(name)))
      texts.set(file, await readFile(join(root, file), 'utf8'));
  });

  it('name RFCs and sections of the table', () => {
    const known = new Set(rowsOf(table));
    const unknown = [...texts].flatMap(([file, text]) =>
      citedIn(text)
        .filter((cited) => !known.has(cited))
        .map((cited) => `${file}: ${cited}`),
    );
    expect(unknown).toEqual([]);
  });

  it('use every row of the table', () => {
    const cited = new Set([...texts.values()].flatMap(citedIn));
    expect(rowsOf(table).filter((row) => !cited.has(row))).toEqual([]);
  });

  it('have one form', () => {
    const odd = [...texts].flatMap(([file, text]) => oddIn(text).map((form) => `${file}: ${form}`));
    expect(odd).toEqual([]);
  });

  it('are found in a wrapped comment, with several sections, and in another form', () => {
    expect(citedIn('/**\n * Lines (RFC 5321\n * §4.5.3.1.5), or RFC 3463 §3.2, §3.3.\n */')).toEqual([
      'RFC 5321',
      'RFC 5321 §4.5.3.1.5',
      'RFC 3463',
      'RFC 3463 §3.2',
      'RFC 3463 §3.3',
    ]);
    expect(citedIn('(RFC 5892 §A.1, §A.2) RFC 6265bis §4.1.3.2')).toEqual([
      'RFC 5892',
      'RFC 5892 §A.1',
      'RFC 5892 §A.2',
      'RFC 6265bis',
      'RFC 6265bis §4.1.3.2',
    ]);
    expect(oddIn('RFC5321, RFC 5321 section 4, RFC 5965 appendix B')).toHaveLength(3);
  });
});
