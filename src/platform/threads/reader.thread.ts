import { setPriority } from 'node:os';
import { platform } from 'node:process';
import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { DomainError, factsOf } from '../../kernel/errors.js';
import type { ReaderModule } from './body-reader.js';
import { processorMs, taskOfThread } from './processor-time.js';
import type { ThreadAnswer, ThreadReady, ThreadRequest } from './thread-messages.js';

/**
 * The program of a thread that reads bodies, one after the other. Few imports: a thread is ready in some 50 ms.
 */

/** Below the thread that serves requests. */
const NICE = 10;

/** Why the rest of a body is not read. */
class Stopped extends Error {}

/** The messages of the pool, in order. */
class Requests {
  private readonly arrived: ThreadRequest[] = [];
  private onArrival = () => {};
  /** Time in which the thread computed, where the system does not tell it. */
  private computedMs = 0;
  private since = performance.now();

  constructor(private readonly port: NonNullable<typeof parentPort>) {
    port.on('message', (request: ThreadRequest) => {
      this.arrived.push(request);
      this.onArrival();
    });
  }

  async next(): Promise<ThreadRequest> {
    while (this.arrived.length === 0) await new Promise<void>((resolve) => (this.onArrival = resolve));
    this.since = performance.now();
    return this.arrived.shift() ?? { kind: 'stop' };
  }

  answer(answer: Omit<ThreadAnswer, 'use'>): void {
    this.computedMs += performance.now() - this.since;
    const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
    const cpuMs = (task === null ? null : processorMs(task)) ?? this.computedMs;
    this.port.postMessage({ ...answer, use: { cpuMs, heapBytes: heap + external } } satisfies ThreadAnswer);
  }
}

async function readBody(requests: Requests, module: string, options: unknown): Promise<void> {
  let batches: unknown[] = [];
  const answer = (rest: Omit<ThreadAnswer, 'use' | 'batches'>) => {
    requests.answer({ batches, ...rest });
    batches = [];
  };
  async function* bytes(): AsyncGenerator<Buffer, void> {
    for (;;) {
      answer({ state: 'more' });
      const request = await requests.next();
      if (request.kind === 'end') return;
      if (request.kind !== 'bytes') throw new Stopped();
      yield Buffer.from(request.bytes.buffer, request.bytes.byteOffset, request.bytes.byteLength);
    }
  }
  try {
    const { read } = (await import(module)) as ReaderModule<unknown, unknown>;
    for await (const batch of read(bytes(), options)) batches.push(batch);
    answer({ state: 'ended' });
  } catch (error) {
    answer({ state: 'failed', error: describe(error) });
  }
}

function describe(error: unknown): NonNullable<ThreadAnswer['error']> {
  if (error instanceof DomainError) return { expected: factsOf(error) };
  return { unexpected: error instanceof Error ? error : new Error('Reading failed') };
}

async function readBodies(requests: Requests): Promise<void> {
  for (;;) {
    const request = await requests.next();
    // A body that ended may be stopped too.
    if (request.kind === 'open') await readBody(requests, request.module, request.options);
  }
}

const task = taskOfThread();
// Linux has a priority for each thread, others only for the process.
if (platform === 'linux') setPriority(NICE);
if (parentPort !== null) {
  const requests = new Requests(parentPort);
  parentPort.postMessage({ task } satisfies ThreadReady);
  await readBodies(requests);
}
