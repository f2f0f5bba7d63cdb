import { readFileSync } from 'node:fs';

const MANIFEST = new URL('../../../package.json', import.meta.url);

/** @param manifest where it stands for a file of another place. */
export function version(manifest = MANIFEST): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
