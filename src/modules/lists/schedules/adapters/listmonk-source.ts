import { mapConcurrently } from '../../../../kernel/concurrency/map-concurrently.js';
import { emptyHeader } from '../../../../kernel/list-files/list-format.js';
import { RunFailure } from '../domain/failure.js';
import type {
  FoundList,
  ListFault,
  OpenedList,
  SourcePiece,
  SourcePlace,
  SubscriberResult,
  WrittenCounts,
} from '../domain/list-source.js';
import { hasResult, isNewer } from '../domain/pending-result.js';
import type { ListmonkAction, ListmonkSource } from '../domain/schedule.js';
import { BLOCKLISTED, Listmonk, RESULT_ATTRIBUTE, type Subscriber } from './listmonk.js';
import type { PagesPlace } from './listmonk-pages.js';
import type { OwnedSource, SourceAdapter } from './source-adapter.js';
import { atItsRate, SourceBytes, type SourceRequests } from './source-requests.js';

/** Requests at the same time. */
const AT_ONCE = 4;
/** For the question whether the lists of a source exist. */
const CHECK_MS = 10_000;

type Owned = OwnedSource<ListmonkSource>;

/** Lists of a listmonk: their subscribers are read, and get their results. */
export class ListmonkLists implements SourceAdapter<ListmonkSource> {
  constructor(private readonly requests: SourceRequests) {}

  /** @throws RunFailure */
  async open(owned: Owned, place: SourcePlace | null, signal: AbortSignal): Promise<OpenedList> {
    const { lists } = owned.source;
    const { listmonk, bytes } = this.connect(owned, signal);
    const readable: FoundList[] = [];
    for (const [id, list] of await listmonk.lists(lists)) {
      if (list === 'missing') throw RunFailure.of({ code: 'list_not_found', detail: String(id) });
      if (list === 'forbidden') throw new RunFailure('unauthorized');
      readable.push(list);
    }
    const found = listmonk.subscribers(lists, place as PagesPlace | null);
    const facts = () => ({ total: listmonk.total, lists: readable });
    return { pieces: piecesOf(atItsRate(found, bytes), lists), options: {}, facts };
  }

  async check(owned: Owned): Promise<readonly ListFault[]> {
    const { lists } = owned.source;
    const { listmonk } = this.connect(owned, AbortSignal.timeout(CHECK_MS));
    try {
      const found = await listmonk.lists(lists);
      return [...found].flatMap(([list, state]) => (typeof state === 'string' ? { list, state } : []));
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      if (error.code === 'unauthorized') return lists.map((list) => ({ list, state: 'forbidden' }));
      // It does not answer now, or is no listmonk: its next run says so.
      return [];
    }
  }

  /** @throws RunFailure */
  async write(
    { action, ...owned }: Owned & { action: ListmonkAction },
    rows: readonly SubscriberResult[],
    signal: AbortSignal,
  ): Promise<WrittenCounts> {
    if (action === 'none') return { written: 0, notWritten: 0 };
    const { listmonk } = this.connect(owned, signal);
    const notWritten = await (action === 'attributes' ? setResults : blocklist)(listmonk, rows);
    return { written: rows.length - notWritten, notWritten };
  }

  private connect({ source, secret }: Owned, signal: AbortSignal) {
    const { slow, pageBytes } = this.requests.limits;
    const bytes = new SourceBytes(slow, pageBytes);
    return { listmonk: Listmonk.of(this.requests, source, secret, bytes, signal), bytes };
  }
}

/**
 * Nothing is sent to subscribers on the blocklist: they are not verified. To a user who may not read lists, listmonk sends
 * the subscribers of others.
 */
async function* piecesOf(
  found: AsyncIterable<{ rows: readonly Subscriber[]; place: PagesPlace }>,
  asked: readonly number[],
): AsyncGenerator<SourcePiece, void> {
  const header = emptyHeader();
  for await (const { rows, place } of found)
    yield {
      rows: rows
        .filter(({ status }) => status !== BLOCKLISTED)
        .filter(({ lists }) => lists.some(({ id }) => asked.includes(id)))
        .map(({ id, email, attribs }) => ({ email, ref: String(id), stored: attribs[RESULT_ATTRIBUTE] })),
      header,
      place,
    };
}

/** @returns how many were not changed. */
async function blocklist(listmonk: Listmonk, rows: readonly SubscriberResult[]): Promise<number> {
  const ids: number[] = [];
  let notWritten = 0;
  for await (const [row, subscriber] of current(listmonk, rows)) {
    if (subscriber === null) notWritten++;
    else if (subscriber.status !== BLOCKLISTED) ids.push(row.id);
  }
  return notWritten + (await listmonk.blocklist(ids)).length;
}

/** @returns how many were not changed. */
async function setResults(listmonk: Listmonk, rows: readonly SubscriberResult[]): Promise<number> {
  let notWritten = 0;
  const written = mapConcurrently(rows, AT_ONCE, async (row) => setResult(listmonk, row));
  for await (const isWritten of written) if (!isWritten) notWritten++;
  return notWritten;
}

async function setResult(listmonk: Listmonk, row: SubscriberResult): Promise<boolean> {
  const subscriber = await currentOf(listmonk, row);
  if (subscriber === null) return false;
  // Written before the process that did it was replaced.
  if (hasResult(subscriber.attribs[RESULT_ATTRIBUTE], row)) return true;
  const { status, reason, score, verifiedAt } = row;
  const value = { status, reason, score, verified_at: verifiedAt.toISOString() };
  return listmonk.setAttribute(subscriber, RESULT_ATTRIBUTE, value);
}

function current(
  listmonk: Listmonk,
  rows: readonly SubscriberResult[],
): AsyncIterable<[SubscriberResult, Subscriber | null]> {
  return mapConcurrently(rows, AT_ONCE, async (row) => [row, await currentOf(listmonk, row)]);
}

/**
 * null: the result is not about the subscriber any more, who is gone, has another address since the source was read, or
 * a newer result.
 */
async function currentOf(listmonk: Listmonk, row: SubscriberResult): Promise<Subscriber | null> {
  const subscriber = await listmonk.find(row.id);
  if (subscriber?.email.toLowerCase() !== row.email.toLowerCase()) return null;
  return isNewer(subscriber.attribs[RESULT_ATTRIBUTE], row.verifiedAt) ? null : subscriber;
}
