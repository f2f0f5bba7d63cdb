import ts from 'typescript';

/** These are in no file system. */
const FOLDER = '/client';
// Not `.d.ts`: those of the language's own library are left unchecked, which takes seconds.
const CLIENT_TYPES = `${FOLDER}/rcpt.ts`;
const PROGRAM = `${FOLDER}/program.ts`;

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ES2022,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2022.d.ts'],
  skipLibCheck: true,
  types: [],
};

/** The errors of the compiler for a program that imports these types from `./rcpt`; empty: none. */
export function typeErrors(types: string, program: string): string[] {
  const files = new Map([
    [CLIENT_TYPES, types],
    [PROGRAM, program],
  ]);
  const disk = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...disk,
    directoryExists: (name) => name === FOLDER || ts.sys.directoryExists(name),
    fileExists: (name) => files.has(name) || ts.sys.fileExists(name),
    readFile: (name) => files.get(name) ?? ts.sys.readFile(name),
    getSourceFile: (name, version) => {
      const text = files.get(name);
      return text === undefined
        ? disk.getSourceFile(name, version)
        : ts.createSourceFile(name, text, version);
    },
  };
  const checked = ts.createProgram([PROGRAM, CLIENT_TYPES], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(checked)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** The program as JavaScript; its imports of types are gone. */
export function asJavaScript(program: string): string {
  return ts.transpileModule(program, { compilerOptions: { ...OPTIONS, noEmit: false } }).outputText;
}

/**
 * The errors of the compiler in a project on disk, with the files of `tsconfig.json` and all that they
 * import. The declarations of the language and of Node are not checked, which takes seconds.
 */
export function projectErrors(folder: string): string[] {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const config = ts.getParsedCommandLineOfConfigFile(`${folder}/tsconfig.json`, {}, host);
  if (config === undefined) throw new Error('no tsconfig.json');
  const program = ts.createProgram(config.fileNames, config.options);
  const own = program
    .getSourceFiles()
    .filter((file) => !program.isSourceFileDefaultLibrary(file) && !file.fileName.includes('/@types/'));
  return [
    ...config.errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ].map(
    ({ file, messageText }) =>
      `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );
}
