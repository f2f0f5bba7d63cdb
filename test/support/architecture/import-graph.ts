import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** One import of a file. Paths are relative to the repository; a package is `node_modules/NAME/…`. */
export interface Import {
  from: string;
  to: string;
  /** Not one of types only, and not `import()`. */
  atLoad: boolean;
}

/** Regular expressions, one of which a path has to match. In `to`, `$1` is the first group of `from.path`. */
type Pattern = string | readonly string[];

/** An import that is not allowed: one from these files to those, part of a circle, or none at all. */
export interface ImportRule {
  name: string;
  from: { path: Pattern; pathNot?: Pattern; orphan?: true };
  to: { path?: Pattern; pathNot?: Pattern; circular?: true; atLoad?: true };
}

export interface Violation extends Omit<Import, 'atLoad'> {
  rule: string;
}

/** The TypeScript files below a folder of the repository. */
export function sourceFilesIn(root: string, folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
}

export function importsIn(root: string, files: readonly string[]): Import[] {
  return files.flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));
}

/** Those of types, of re-exports and of `import()` too. */
export function importsOf(from: string, code: string): Import[] {
  const names = ts.preProcessFile(code).importedFiles.map(({ fileName }) => fileName);
  const atLoad = new Set(importedAtLoad(code));
  return [...new Set(names)].map((name) => ({ from, to: resolved(from, name), atLoad: atLoad.has(name) }));
}

/** The names in import and export declarations that the compiled file has too. */
function importedAtLoad(code: string): string[] {
  return ts.createSourceFile('', code, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const isOfTypes = ts.isImportDeclaration(statement)
      ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
      : statement.isTypeOnly;
    const name = statement.moduleSpecifier;
    return !isOfTypes && name !== undefined && ts.isStringLiteral(name) ? [name.text] : [];
  });
}

function resolved(from: string, name: string): string {
  // TypeScript names the compiled file in an import.
  if (name.startsWith('.')) return join(dirname(from), name).replace(/\.js$/, '.ts');
  return name.startsWith('node:') ? name : `node_modules/${name}/`;
}

export function violationsOf(
  rules: readonly ImportRule[],
  files: readonly string[],
  imports: readonly Import[],
): Violation[] {
  const known = new Set(imports.flatMap(({ from, to }) => [from, to]));
  const orphans = files
    .filter((file) => !known.has(file))
    .map((file) => ({ from: file, to: file, atLoad: true }));
  const circles = circularOf(imports);
  return rules.flatMap((rule) => {
    const candidates = rule.from.orphan ? orphans : rule.to.circular ? circles : imports;
    return candidates
      .filter((one) => isForbidden(rule, one))
      .map(({ from, to }) => ({ rule: rule.name, from, to }));
  });
}

function isForbidden({ from, to }: ImportRule, one: Import): boolean {
  const found = match(from.path, one.from);
  if (found === null || (from.pathNot !== undefined && match(from.pathNot, one.from) !== null)) return false;
  const [, group] = found;
  if (to.atLoad && !one.atLoad) return false;
  if (to.path !== undefined && match(to.path, one.to, group) === null) return false;
  return to.pathNot === undefined || match(to.pathNot, one.to, group) === null;
}

const compiled = new Map<string, RegExp>();

function match(pattern: Pattern, path: string, group = ''): RegExpExecArray | null {
  const source = [pattern].flat().join('|').replaceAll('$1', group);
  const regex = compiled.get(source) ?? new RegExp(source);
  compiled.set(source, regex);
  return regex.exec(path);
}

/** Imports in circles and between them: what is left when files that import none or that none imports are left out. */
function circularOf(imports: readonly Import[]): Import[] {
  const [importers, imported] = [imports.map(({ from }) => from), imports.map(({ to }) => to)].map(
    (paths) => new Set(paths),
  );
  const left = imports.filter(({ from, to }) => imported?.has(from) && importers?.has(to));
  return left.length === imports.length ? left : circularOf(left);
}
