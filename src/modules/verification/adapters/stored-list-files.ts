import { readFileSync, statSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../../kernel/clock.js';
import type { DomainList } from '../domain/domain-list.js';
import { ListFiles } from '../domain/list-files.js';
import { mayBeListed, upToRegistrable } from './domain-lists.js';
import { packagedLists } from './packaged-lists.js';

const Stored = z.array(
  z
    .strictObject({
      name: z.string(),
      licence: z.string().nullable(),
      read_at: z.iso.datetime(),
      sha256: z.string().nullable(),
      count: z.int(),
      domains: z.array(z.string()),
    })
    .refine(({ count, domains }) => count === domains.length, 'it has not as many domains as it says'),
);

/** How often a process looks whether the file is another one; a look costs some 10 µs. */
const LOOK_EVERY_MS = 2_000;

/** Lists of a file, once an update has written it; until then, those of the packages. */
export class StoredListFiles extends ListFiles {
  private lists: readonly DomainList[] | null = null;
  /** Of the file that the lists come from; 0: there was none. */
  private version = 0;
  private lookedAtMs = -Infinity;

  /** @param onFault hears of a file that cannot be read; what it held before stays in force. */
  constructor(
    private readonly path: string,
    private readonly clock: Clock,
    private readonly onFault: (error: unknown) => void,
  ) {
    super();
  }

  override current(): readonly DomainList[] {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.lookedAtMs >= LOOK_EVERY_MS) {
      this.lookedAtMs = nowMs;
      this.look();
    }
    return (this.lists ??= packagedLists());
  }

  override mayHold(domain: string): boolean {
    return mayBeListed(domain);
  }

  override namesHeld(domain: string): string[] {
    return upToRegistrable(domain);
  }

  /** Synced before it takes the old one's name: after a power cut there is the one or the other. */
  override async replace(lists: readonly DomainList[]): Promise<void> {
    const stored: z.infer<typeof Stored> = lists.map(({ name, licence, readAt, sha256, domains }) => ({
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
    this.lookedAtMs = -Infinity;
  }

  private look(): void {
    const version = statSync(this.path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (version === this.version) return;
    this.version = version;
    if (version === 0) {
      this.lists = null;
      return;
    }
    try {
      const stored = Stored.parse(JSON.parse(readFileSync(this.path, 'utf8')));
      this.lists = stored.map(({ name, licence, read_at, sha256, domains }) => ({
        name,
        licence,
        readAt: new Date(read_at),
        sha256,
        domains: new Set(domains),
      }));
    } catch (error) {
      this.onFault(error);
    }
  }
}
