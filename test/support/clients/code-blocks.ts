import { readFile } from 'node:fs/promises';

/** A code block of a Markdown page. */
export interface CodeBlock {
  page: string;
  line: number;
  /** Empty: none is named. */
  language: string;
  code: string;
}

/** All code blocks of a page, also those of a list. */
export async function codeBlocksOf(page: string): Promise<CodeBlock[]> {
  const text = await readFile(new URL(`../../../${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)].map(
    ({ index, 1: indent = '', 2: language = '', 3: code = '' }) => ({
      page,
      line: text.slice(0, index).split('\n').length,
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/** What a reader types, without prompts and output: `console` shows both. */
export function typedIn({ language, code }: CodeBlock): string {
  if (language !== 'console') return code;
  const lines: string[] = [];
  let isTyped = false;
  for (const line of code.split('\n')) {
    const [, typed] = /^[$#] (.*)$/.exec(line) ?? [];
    // The further lines of a command are indented.
    isTyped = typed !== undefined || (isTyped && /^ {4}/.test(line));
    if (isTyped) lines.push(typed ?? line);
  }
  return lines.join('\n');
}

/** The simple commands of a shell script, as words: those of pipes and lists too, without assignments and redirections. */
export function commandsIn(script: string): string[][] {
  const commands: string[][] = [];
  for (const line of script.replaceAll(/\\\n\s*/g, ' ').split('\n')) {
    const words: string[] = [];
    const end = () => void (words.length > 0 && commands.push(words.splice(0)));
    for (const [token] of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"|;&#]|(?<=\S)#)+|&&|\|\|?|;|#.*/g)) {
      if (/^#/.test(token)) break;
      if (/^(?:&&|\|\|?|;)$/.test(token)) end();
      else if (words.length > 0 || !/^\w+=|^(?:export|exec)$/.test(token))
        words.push(token.replaceAll(/^\$\(|['"]/g, ''));
    }
    end();
  }
  return commands.map((words) => words.slice(0, words.findIndex((word) => /^[<>]/.test(word)) >>> 0));
}
