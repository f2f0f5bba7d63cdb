import { Injectable } from '@nestjs/common';
import { InvalidRequest } from '../../../../kernel/errors.js';
import { bodyReader } from '../../../../platform/threads/body-reader.js';
import { ReaderThreads } from '../../../../platform/threads/reader-threads.js';
import { EventReader, type ArrivedRequest } from '../domain/providers/event-reader.js';
import { EventNotTrusted, TooManyOutcomes } from '../domain/outcome-intake.errors.js';
import type { ReadRequest } from '../domain/providers/read-request.js';
import type { OutcomeSource } from '../domain/sources/source.js';

const EVENTS = bodyReader<typeof import('./provider-events.thread.js')>(
  import.meta.resolve('./provider-events.thread.js'),
  [InvalidRequest, EventNotTrusted, TooManyOutcomes],
);

@Injectable()
export class ThreadEventReader extends EventReader {
  constructor(private readonly threads: ReaderThreads) {
    super();
  }

  async read(source: OutcomeSource, request: ArrivedRequest, now: Date): Promise<ReadRequest> {
    const { teamId: team, kind, secret } = source;
    const { headers, url, body } = request;
    const options = { kind, secret, headers, url, now };
    for await (const read of this.threads.read(EVENTS, { team, options }, whole(body))) return read;
    throw new Error('A request was not read');
  }
}

async function* whole(body: Buffer): AsyncGenerator<Buffer, void> {
  yield await Promise.resolve(body);
}
