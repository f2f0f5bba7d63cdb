import { readFile } from 'node:fs/promises';

/** The code blocks of a language in a Markdown file, by the heading above them. */
export async function readmePrograms(path: string, language: string): Promise<Map<string, string>> {
  const text = await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const programs = new Map<string, string>();
  let heading = '';
  for (const [, title, name, code = ''] of text.matchAll(/^#+ ([^\n]*)$|^```(\w+)\n(.*?)^```/gms))
    if (title !== undefined) heading = title;
    else if (name === language) programs.set(heading, code);
  return programs;
}
