import { InvalidRequest } from '../../../src/kernel/errors.js';
import { NotReady } from '../../../src/platform/http/problems/problems.js';

/** How a planted reader treats a body. */
export type PlantedKind =
  | 'lines'
  | 'endless'
  | 'a bit slow'
  | 'waits'
  | 'keeps all'
  | 'array'
  | 'map'
  | 'objects'
  | 'text'
  | 'refuses'
  | 'throws'
  | 'undeclared'
  | 'exits'
  | 'crashes later';

const A_BIT = 30_000_000;
const WAIT_MS = 1_000;

/** Work that takes no memory. */
function compute(steps: number): number {
  let state = 1;
  for (let step = 0; step < steps; step++) state = (state * 48_271) % 2_147_483_647;
  return state;
}

/** Each fills the heap in another way, without an end. */
const FILLS = {
  array: () => {
    for (const all: number[] = []; ;) all.push(all.length);
  },
  map: () => {
    const all = new Map<string, number>();
    for (let n = 0; ; n++) all.set(`key ${n}`, n);
  },
  objects: () => {
    for (const all: object[] = []; ;) all.push({ n: all.length, text: `text ${all.length}` });
  },
  text: () => {
    const all: string[] = [];
    for (let n = 0; ; n++) all.push(Buffer.alloc(1_000_000, n).toString('latin1'));
  },
};

const kept: string[] = [];

/** A reader of lines that misbehaves as it is told. */
export async function* read(
  bytes: AsyncIterable<Buffer>,
  { kind }: { kind: PlantedKind },
): AsyncGenerator<string[], void> {
  for await (const piece of bytes) {
    const lines = piece.toString().split('\n');
    if (kind === 'endless') compute(Infinity);
    if (kind === 'a bit slow') compute(A_BIT);
    if (kind === 'waits') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    if (kind === 'keeps all')
      for (let n = 0; n < 200; n++) kept.push(Buffer.alloc(100_000, n).toString('latin1'));
    if (kind === 'array' || kind === 'map' || kind === 'objects' || kind === 'text') FILLS[kind]();
    if (kind === 'refuses')
      throw new InvalidRequest(
        [{ pointer: '/7/email', code: 'invalid_type', message: 'Send a string.' }],
        'Line 8.',
      );
    if (kind === 'throws') throw new TypeError('planted');
    if (kind === 'undeclared') throw new NotReady('planted');
    if (kind === 'exits') process.exit(3);
    if (kind === 'crashes later') {
      setImmediate(() => {
        throw new RangeError('planted');
      });
      await new Promise(() => undefined);
    }
    yield lines;
  }
}
