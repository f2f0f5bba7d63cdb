import { Injectable } from '@nestjs/common';
import type { ListEntry } from '../../../kernel/list-files/list-entry.js';
import { emptyHeader } from '../../../kernel/list-files/list-format.js';
import { ListSource, type OpenedList } from '../domain/list-source.js';
import type { Source, SourceSecret } from '../domain/schedule.js';
import { BLOCKLISTED, Listmonk } from './listmonk.js';
import { SourceRequests } from './source-requests.js';
import { openUrlList } from './url-list.js';

@Injectable()
export class HttpListSource extends ListSource {
  constructor(private readonly requests: SourceRequests) {
    super();
  }

  async open(source: Source, secret: SourceSecret, signal: AbortSignal): Promise<OpenedList> {
    if (source.kind === 'url') return openUrlList(this.requests, source.url, secret, signal);
    const { url, username, lists } = source;
    const listmonk = new Listmonk(this.requests, url, { username, token: secret.token ?? '' }, signal);
    return { entries: entriesOf(listmonk, lists), header: emptyHeader(), options: {} };
  }
}

/** Nothing is sent to subscribers on the blocklist: they are not verified. */
async function* entriesOf(
  listmonk: Listmonk,
  lists: readonly number[],
): AsyncGenerator<readonly ListEntry[], void> {
  for await (const page of listmonk.subscribers(lists))
    yield page
      .filter(({ status }) => status !== BLOCKLISTED)
      .map(({ id, email }) => ({ email, ref: String(id) }));
}
