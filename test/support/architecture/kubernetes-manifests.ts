import { join } from 'node:path';
import ts from 'typescript';

/** From here `kubernetes-types` is found. */
const FOLDER = join(import.meta.dirname, '../../..');
const OPTIONS: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es5.d.ts'],
  types: [],
};

/**
 * Compares resources with the types of the Kubernetes API: each becomes a typed object literal, in which
 * TypeScript finds unknown and missing fields and values of a wrong type.
 *
 * @param resources parsed YAML
 * @returns the faults of each resource
 */
export function faultsOfManifests(resources: readonly object[]): string[][] {
  const files = resources.map(
    (resource, n) => [join(FOLDER, `manifest-${n}.ts`), sourceOf(resource)] as const,
  );
  const sources = new Map(files);
  const disk = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => sources.has(name) || ts.sys.fileExists(name),
    getSourceFile: (name, version) => {
      const source = sources.get(name);
      return source === undefined
        ? disk.getSourceFile(name, version)
        : ts.createSourceFile(name, source, version);
    },
  };
  const program = ts.createProgram([...sources.keys()], OPTIONS, host);
  return files.map(([name]) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(name))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  );
}

function sourceOf(resource: object): string {
  const { apiVersion, kind } = resource as { apiVersion?: unknown; kind?: unknown };
  const version = String(apiVersion).replace('.k8s.io/', '/');
  const module = version.includes('/') ? version : `core/${version}`;
  return `import type { ${String(kind)} as Kind } from 'kubernetes-types/${module}';
    export const resource: Kind = ${JSON.stringify(resource)};`;
}
