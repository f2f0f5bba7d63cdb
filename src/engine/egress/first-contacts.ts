import { FairQueue, type Requester } from '../../kernel/concurrency/fair-queue.js';

/** Recipients of one team under way at a host, a provider or an egress that has not answered it yet. */
const MAX_UNDER_WAY = 8;
/** A server that refuses us does so soon, so that a slow or silent one does not delay the others for longer. */
const COUNTED_MS = 5_000;

/** The units at which a recipient is counted, each with what releases it. */
export type CountedAt = Map<string, () => void>;

interface Place {
  underWay: number;
  /** They are called to look again. */
  readonly waiting: FairQueue<() => void>;
}

/**
 * Limits what is sent before a server has answered a team: by the time of the first refusals, many recipients
 * of a list would be under way. Single calls come first.
 */
export class FirstContacts {
  /** By team and unit; only those with recipients under way or waiting. */
  private readonly places = new Map<string, Place>();

  /**
   * Waits until fewer recipients are under way at each unit, and counts this one until it is released.
   *
   * @param unanswered the units without an answer yet, read again after each wait; null: the server may not be probed.
   * @param counted the units at which this recipient is counted already; those of this call are added.
   * @returns false: it may not be probed, or the signal aborted.
   */
  async enter(
    unanswered: () => readonly string[] | null,
    requester: Requester,
    counted: CountedAt,
    signal: AbortSignal,
  ): Promise<boolean> {
    let left: string | null = null;
    for (;;) {
      const units = signal.aborted ? null : unanswered();
      const keys = (units ?? [])
        .map((unit) => `${requester.team} ${unit}`)
        .filter((key) => !counted.has(key));
      const full = keys.find((key) => (this.places.get(key)?.underWay ?? 0) >= MAX_UNDER_WAY);
      for (const key of full === undefined && units !== null ? keys : []) counted.set(key, this.count(key));
      // Whoever was called and leaves its queue calls the next one.
      if (left !== null && left !== full) this.callNext(left);
      if (units === null) return false;
      if (full === undefined) return true;
      left = full;
      await this.wait(full, requester, signal);
    }
  }

  private count(key: string): () => void {
    const place = this.placeOf(key);
    place.underWay += 1;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      clearTimeout(timer);
      place.underWay -= 1;
      this.callNext(key);
    };
    let isReleased = false;
    const timer = setTimeout(release, COUNTED_MS).unref();
    return release;
  }

  private wait(key: string, requester: Requester, signal: AbortSignal): Promise<void> {
    const { waiting } = this.placeOf(key);
    return new Promise((resolve) => {
      const call = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        if (waiting.remove(requester, call)) call();
      };
      waiting.add(requester, call);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  private callNext(key: string): void {
    const place = this.places.get(key);
    if (place === undefined || place.underWay >= MAX_UNDER_WAY) return;
    place.waiting.dequeue()?.();
    if (place.underWay + place.waiting.size === 0) this.places.delete(key);
  }

  private placeOf(key: string): Place {
    const place = this.places.get(key) ?? { underWay: 0, waiting: new FairQueue() };
    this.places.set(key, place);
    return place;
  }
}
