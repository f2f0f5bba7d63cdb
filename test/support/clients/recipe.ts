import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A document in `docs/recipes` and its code blocks. */
export class Recipe {
  private constructor(private readonly text: string) {}

  static async read(name: string): Promise<Recipe> {
    return new Recipe(await readFile(new URL(`../../../docs/recipes/${name}.md`, import.meta.url), 'utf8'));
  }

  /** The first block of a language. */
  block(language: string): string {
    const [, block] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(this.text) ?? [];
    if (block === undefined) throw new Error(`no block in ${language}`);
    return block;
  }

  /** The blocks whose paragraph before starts with the path of a file, by path. */
  get files(): Map<string, string> {
    const blocks = this.text.matchAll(/^`([\w./-]+)`[^\n]*:\n\n```\w*\n(.*?)^```/gms);
    return new Map([...blocks].map(([, path = '', block = '']) => [path, block]));
  }

  /** Writes these files of the recipe to a new folder, which exists during the action. */
  async inFolder<T>(paths: readonly string[], act: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-recipe-'));
    try {
      for (const path of paths) {
        const file = join(folder, path);
        await mkdir(dirname(file), { recursive: true });
        const text = this.files.get(path);
        if (text === undefined) throw new Error(`no file ${path}`);
        await writeFile(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
      }
      return await act(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  }
}
