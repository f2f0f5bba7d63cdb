import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const SOURCE = join(import.meta.dirname, '../../../src');
/** A migration may name the tables to which its own refer. */
const MIGRATIONS = 'platform/database/migrations/';
/** Later migrations that are not named after the module whose tables they create. */
const LATER: Readonly<Record<string, string>> = {
  'list-previews': 'bulk',
  pause: 'platform',
  'schedule-confirmations': 'schedules',
};
/** Tables of a module that a migration of another name creates. */
const OWNED: Readonly<Record<string, string>> = {
  egress_warmup: 'mail-servers',
  egress_warmup_teams: 'mail-servers',
  smtp_permits: 'mail-servers',
  smtp_shared_state: 'mail-servers',
};
/** The SQL keywords before the name of a table, and the column list that follows it in COPY. */
const BEFORE = String.raw`\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE|ONLY|TRUNCATE)\s+`;

/** Table → `platform`, or the module. */
export type Owners = ReadonlyMap<string, string>;

/** A source file that names a table of another module. */
export interface Trespass {
  file: string;
  table: string;
}

/** The owner of a table is in the file name of the migration that creates it; `database` is the platform. */
export async function tableOwners(): Promise<Owners> {
  const owners = new Map<string, string>();
  for (const name of await readdir(join(SOURCE, MIGRATIONS))) {
    const named = name.replace(/^\d+-|\.ts$/g, '').replace(/^database$/, 'platform');
    const owner = LATER[named] ?? named;
    const text = await readFile(join(SOURCE, MIGRATIONS, name), 'utf8');
    for (const [, table = ''] of text.matchAll(/\bCREATE (?:UNLOGGED )?TABLE (\w+)/g))
      owners.set(table, OWNED[table] ?? owner);
  }
  return owners;
}

export async function trespasses(owners: Owners): Promise<Trespass[]> {
  return (await sources()).flatMap(([file, text]) => trespassesIn(file, text, owners));
}

/** @param file below `src`. */
export function trespassesIn(file: string, text: string, owners: Owners): Trespass[] {
  const texts = textsIn(text);
  return [...owners]
    .filter(([table, owner]) => owner !== ownerOf(file) && texts.some((text) => names(text, table)))
    .map(([table]) => ({ file, table }));
}

function names(text: string, table: string): boolean {
  const [sql, columns] = [new RegExp(`${BEFORE}"?${table}\\b`), new RegExp(`^${table} \\(`)];
  return sql.test(text) || columns.test(text) || text === `table:${table}`;
}

/** `modules/group/x/…` belongs to x, the rest to its top folder. */
function ownerOf(file: string): string {
  const [top = '', , module = ''] = file.split('/');
  return top === 'modules' ? module : dirname(file) === '.' ? 'composition' : top;
}

/** The string literals, templates as they stand, and the values of properties named `table`. */
function textsIn(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(node.text);
    else if (ts.isTemplateExpression(node)) found.push(node.getText());
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'table')
      if (ts.isStringLiteral(node.initializer)) found.push(`table:${node.initializer.text}`);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true));
  return found;
}

async function sources(): Promise<[file: string, text: string][]> {
  const files = (await readdir(SOURCE, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.startsWith(MIGRATIONS),
  );
  return Promise.all(
    files.map(async (file) => [file, await readFile(join(SOURCE, file), 'utf8')] as [string, string]),
  );
}
