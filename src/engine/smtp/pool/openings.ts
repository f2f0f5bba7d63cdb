import { keyOf, type FairQueue, type Requester } from '../../../kernel/concurrency/fair-queue.js';
import type { DialRequester } from '../../../platform/net/dialler.js';

/** A connection that is being opened. */
export interface Opening {
  abort: AbortController;
  /** In whose turn; it serves whoever is next when it is greeted. */
  requester: DialRequester;
  /** It waits for the egress, which has a limit of its own. */
  isWaiting: boolean;
}

/** The connections that are being opened for the requests that wait for a session. */
export class Openings {
  private all: readonly Opening[] = [];

  constructor(private readonly requests: Pick<FairQueue<unknown>, 'nextKey' | 'sizeOf' | 'hasSingles'>) {}

  get count(): number {
    return this.all.length;
  }

  /** For the next request for which no connection is being opened yet. */
  add(): Opening {
    const names = this.all.map(({ requester }) => keyOf(requester));
    const isMissing = (key: Requester) =>
      this.requests.sizeOf(key) > names.filter((name) => name === keyOf(key)).length;
    const next = this.requests.nextKey(isMissing) ?? this.requests.nextKey();
    const requester = next ?? { team: '', priority: 'list' };
    const onWait = (isWaiting: boolean) => void (opening.isWaiting = isWaiting);
    const opening: Opening = {
      abort: new AbortController(),
      requester: { ...requester, onWait },
      isWaiting: false,
    };
    this.all = [...this.all, opening];
    return opening;
  }

  remove(opening: Opening): void {
    this.all = this.all.filter((other) => other !== opening);
  }

  abortAll(): void {
    for (const { abort } of this.all) abort.abort();
  }

  /**
   * Gives up a connection that waits for the egress: when another process gets its share, or when a single call
   * would wait in the turn of a list. The next one has the turn of the single call.
   */
  abortWaiting(isOver: boolean): void {
    const waiting = this.all.filter(({ isWaiting }) => isWaiting);
    const isBehindList = this.all.every(
      ({ isWaiting, requester }) => isWaiting && requester.priority === 'list',
    );
    if (isOver || (this.requests.hasSingles && isBehindList)) waiting.at(-1)?.abort.abort();
  }
}
