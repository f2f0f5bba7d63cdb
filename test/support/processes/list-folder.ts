import { parse } from 'csv-parse/sync';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with lists and the outputs of `rcpt bulk`. */
export class ListFolder {
  private constructor(private readonly path: string) {}

  static async make(): Promise<ListFolder> {
    return new ListFolder(await mkdtemp(join(tmpdir(), 'rcpt-cli-')));
  }

  in(name: string): string {
    return join(this.path, name);
  }

  write(name: string, text: string | Buffer): Promise<void> {
    return writeFile(this.in(name), text);
  }

  /** `list.csv` with the columns `id` and `email`. */
  writeList(emails: readonly string[]): Promise<void> {
    return this.write('list.csv', `id,email\n${emails.map((email, id) => `${id},${email}`).join('\n')}\n`);
  }

  text(name: string): Promise<string> {
    return readFile(this.in(name), 'utf8');
  }

  async rows(name: string): Promise<Record<string, string>[]> {
    return parse<Record<string, string>>(await this.text(name), { columns: true });
  }

  async names(): Promise<string[]> {
    return (await readdir(this.path)).sort();
  }

  /** @returns puts back the files as they are now: a process that is killed now leaves them. */
  async snapshot(): Promise<() => Promise<void>> {
    const copy = `${this.path}-copy`;
    await cp(this.path, copy, { recursive: true });
    return async () => {
      await this.remove();
      await rename(copy, this.path);
    };
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true });
  }
}
