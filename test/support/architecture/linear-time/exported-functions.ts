import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

const SOURCE = join(import.meta.dirname, '../../../../src');
const FUNCTION = /^(?:async )?(?:\(|function|<|\w+ =>)/;

/** The functions and classes that the files of a folder export and that take anything: `file#name`. */
export async function exportedFunctions(folder: string): Promise<string[]> {
  const names = await readdir(join(SOURCE, folder), { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts')).sort();
  const found = await Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(SOURCE, folder, name), 'utf8');
      return exportsOf(text).map((each) => `${folder}/${name.slice(0, -'.ts'.length)}#${each}`);
    }),
  );
  return found.flat();
}

function exportsOf(text: string): string[] {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  return file.statements.flatMap((node) => {
    const isExported =
      ts.canHaveModifiers(node) &&
      ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!isExported) return [];
    if (ts.isFunctionDeclaration(node)) return node.parameters.length === 0 ? [] : (node.name?.text ?? []);
    if (ts.isClassDeclaration(node)) return node.name?.text ?? [];
    if (!ts.isVariableStatement(node)) return [];
    return node.declarationList.declarations
      .filter(({ initializer }) => FUNCTION.test(initializer?.getText() ?? ''))
      .map(({ name }) => name.getText());
  });
}
