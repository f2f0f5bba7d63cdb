import { readFileSync, statSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../../kernel/clock.js';
import type { DomainList } from '../domain-list.js';
import { PackagedListFiles } from './packaged-lists.js';

/** One list in the format of the file, which only an update writes. */
interface StoredList extends Pick<DomainList, 'name' | 'licence' | 'sha256'> {
  read_at: string;
  count: number;
  domains: string[];
}

/** The interval at which a process compares the file's modification time; one comparison takes some 10 µs. */
const CHECK_EVERY_MS = 2_000;

/** The lists of the file that an update has written; without a file, those of the packages. */
export class StoredListFiles extends PackagedListFiles {
  /** null: there is no file. */
  private lists: readonly DomainList[] | null = null;
  /** The modification time of the file that the lists come from; 0: there was none. */
  private version = 0;
  private checkedAtMs = -Infinity;

  /** @param onError called once for a file that cannot be read; the previous lists stay in force. */
  constructor(
    private readonly path: string,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {
    super();
  }

  override current(): readonly DomainList[] {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.checkedAtMs >= CHECK_EVERY_MS) {
      this.checkedAtMs = nowMs;
      this.reloadIfChanged();
    }
    return this.lists ?? super.current();
  }

  /** Synced before it is renamed: after a power failure the file is the old one or the new one. */
  override async replace(lists: readonly DomainList[]): Promise<void> {
    const stored: StoredList[] = lists.map(({ name, licence, readAt, sha256, domains }) => ({
      name,
      licence,
      read_at: (readAt ?? this.clock.now()).toISOString(),
      sha256,
      count: domains.size,
      domains: [...domains],
    }));
    await mkdir(dirname(this.path), { recursive: true });
    const draft = `${this.path}.${process.pid}`;
    const file = await open(draft, 'w', 0o644);
    try {
      await file.writeFile(JSON.stringify(stored));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, this.path);
    this.checkedAtMs = -Infinity;
  }

  private reloadIfChanged(): void {
    const version = statSync(this.path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (version === this.version) return;
    this.version = version;
    try {
      this.lists = version === 0 ? null : parseLists(readFileSync(this.path, 'utf8'));
    } catch (error) {
      this.onError(error);
    }
  }
}

/** @throws SyntaxError or TypeError when the text is not a complete file of lists. */
function parseLists(text: string): DomainList[] {
  return (JSON.parse(text) as StoredList[]).map(({ name, licence, read_at, sha256, count, domains }) => {
    const readAt = new Date(read_at);
    if (count !== domains.length || Number.isNaN(readAt.getTime())) throw new TypeError('not complete');
    return { name, licence, readAt, sha256, domains: new Set(domains) };
  });
}
