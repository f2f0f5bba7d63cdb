// The licences of packages whose code is a part of a bundle.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param output of a build. @returns the directories of the packages in it. */
export function packagesIn(output) {
  const parts = output.flatMap(({ moduleIds = [] }) =>
    moduleIds.map((id) => /.*node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0]),
  );
  return [...new Set(parts.filter((part) => part !== undefined))].sort();
}

/** The names of packages with their licences, as one text. */
export function licencesOf(directories) {
  return directories
    .map((directory) => {
      const files = readdirSync(directory);
      const file = files.find((name) => /^licen[cs]e/i.test(name));
      if (file === undefined) throw new Error(`${directory} has no licence`);
      return `${directory.slice(directory.lastIndexOf('node_modules/') + 13)}\n\n${readFileSync(join(directory, file), 'utf8')}`;
    })
    .join('\n');
}
