/** Files that have the version, and how they write it. */
const PLACES: Readonly<Record<string, RegExp>> = {
  'package.json': /^ {2}"version": "(.+)"/gm,
  'package-lock.json': /"name": "@rcpt\/server",\n +"version": "(.+)"/g,
  'clients/typescript/package.json': /^ {2}"version": "(.+)"/gm,
  'clients/typescript/src/transport.ts': /^export const VERSION = '(.+)'/gm,
  'clients/python/pyproject.toml': /^version = "(.+)"/gm,
  'clients/python/src/rcpt/_core.py': /^VERSION = "(.+)"/gm,
  'deploy/helm/rcpt/Chart.yaml': /^(?:appVersion|version): (.+)/gm,
  'deploy/kubernetes/kustomization.yaml': /^ +newTag: (.+)/gm,
  'CHANGELOG.md': /^## (\d+\.\d+\.\d+)/m,
};

/** @param read gives the text of a file. @returns the versions by file, each as often as it is there. */
export function releaseVersions(read: (file: string) => string): Map<string, string[]> {
  return new Map(
    Object.entries(PLACES).map(([file, pattern]) => {
      const text = read(file);
      const found = pattern.global ? [...text.matchAll(pattern)] : [pattern.exec(text) ?? []];
      return [file, found.map(([, version = 'none']) => version)];
    }),
  );
}
