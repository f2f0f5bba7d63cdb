// npm run --silent ts scripts/release.main.ts vX.Y.Z: prints the notes of a release, if everything has its version.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseNotes } from './release-notes.js';
import { releaseVersions } from './release-versions.js';

const [tag = ''] = process.argv.slice(2);
const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');

try {
  for (const [file, versions] of releaseVersions(read))
    for (const version of versions)
      if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, and ${file} has version ${version}`);
  process.stdout.write(releaseNotes(read('CHANGELOG.md'), tag.slice(1)));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
