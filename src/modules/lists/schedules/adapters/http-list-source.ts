import { Injectable } from '@nestjs/common';
import { ReaderThreads } from '../../../../platform/threads/reader-threads.js';
import {
  ListSource,
  type ListFault,
  type ListOwner,
  type OpenedList,
  type ResultTarget,
  type SourcePlace,
  type SubscriberResult,
  type WrittenCounts,
} from '../domain/list-source.js';
import type { Source, SourceKind, SourceSecret } from '../domain/schedule.js';
import { ListmonkLists } from './listmonk-source.js';
import type { SourceAdapter } from './source-adapter.js';
import { SourceRequests } from './source-requests.js';
import { UrlFile } from './url-source.js';

type Adapters = { [Kind in SourceKind]: SourceAdapter<Extract<Source, { kind: Kind }>> };

/** The kinds of sources: another one is a file like theirs, and a line here. */
@Injectable()
export class HttpListSource extends ListSource {
  private readonly adapters: Adapters;

  constructor(requests: SourceRequests, threads: ReaderThreads) {
    super();
    this.adapters = { url: new UrlFile(requests, threads), listmonk: new ListmonkLists(requests) };
  }

  open(
    { source, teamId: team }: ListOwner,
    secret: SourceSecret,
    place: SourcePlace | null,
    signal: AbortSignal,
  ): Promise<OpenedList> {
    return this.adapterOf(source).open({ source, secret, team }, place, signal);
  }

  check(source: Source, secret: SourceSecret): Promise<readonly ListFault[]> {
    return this.adapterOf(source).check({ source, secret });
  }

  write(
    { source, onResult: action }: ResultTarget,
    secret: SourceSecret,
    rows: readonly SubscriberResult[],
    signal: AbortSignal,
  ): Promise<WrittenCounts> {
    return this.adapterOf(source).write({ source, secret, action }, rows, signal);
  }

  /** The adapter of its kind; the compiler does not relate the two. */
  private adapterOf<Kind extends Source>({ kind }: Kind): SourceAdapter<Kind> {
    return this.adapters[kind] as SourceAdapter<Source>;
  }
}
