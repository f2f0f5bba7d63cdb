import { Injectable } from '@nestjs/common';
import { RevocableSlots } from '../../../kernel/concurrency/revocable-slots.js';
import { TooManyExports } from '../problems/problems.js';

/** Downloads in this process: each keeps a batch of rows in memory while its client does not read. */
const MAX_DOWNLOADS = { own: 4, all: 40 };

export interface DownloadSlot {
  /** Aborted when the slot is given to another team. */
  signal: AbortSignal;
  /** May be called twice. */
  release: () => void;
}

/** Limits the downloads of each team, and of all. */
@Injectable()
export class DownloadSlots {
  private readonly slots = new RevocableSlots(MAX_DOWNLOADS.all, MAX_DOWNLOADS.own);

  /** @throws TooManyExports */
  acquire(teamId: string): DownloadSlot {
    const revoked = new AbortController();
    const release = this.slots.acquire(teamId, () => revoked.abort());
    if (release === null) throw new TooManyExports(MAX_DOWNLOADS.own);
    return { signal: revoked.signal, release };
  }
}
