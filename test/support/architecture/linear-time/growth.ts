/** Reads a text, as the code of the service does; what it throws is a refusal, which costs as well. */
export type TextReader = ((text: string) => unknown) & { takesLengthOnly?: boolean };
export type Shape = (length: number) => string;

/** What makes its text itself, whatever the shape is. */
export function ofLength(read: (length: number) => unknown): TextReader {
  return Object.assign((text: string) => read(text.length), { takesLengthOnly: true });
}

/** From one length to twice that, quadratic work takes four times as long. */
const MAX_GROWTH = 2.6;
/** Lengths that are tried once, and the ms that quadratic work exceeds with the fastest steps at the last of them. */
const PROBES = [
  { length: 1_000, ms: 0.2 },
  { length: 4_000, ms: 0.4 },
  { length: 16_000, ms: 0.7 },
];
/** From a fourth of a length to the whole. Quadratic work takes 16 times as long. */
const MAX_PROBE_GROWTH = 6;
const MAX_LENGTH = 256_000;
/** Times are measured in rounds until the least of each shows linear growth; compiling and collecting only add to them. */
const MAX_ROUNDS = 30;
/** One may measure too much of the half, or of the whole. */
const MIN_ROUNDS = 3;
/** The fewest rounds suffice if the whole takes this long. */
const CLEAR_MS = 50;
/** A round of a shorter work is repeated. */
const MIN_ROUND_MS = 1;
/** Longer than the steps in which the system counts processor time. */
const COUNTED_MS = 20;

/** @returns the times where their growth is superlinear; null: it is linear. */
export async function superlinearGrowth(read: TextReader, shape: Shape): Promise<string | null> {
  for (const { length, ms } of PROBES) {
    const time = await timeOf(read, shape(length));
    // The code may not have been compiled before.
    const before = time > ms ? await leastOf(3, read, shape(length / 4)) : Infinity;
    if (time <= MAX_PROBE_GROWTH * before) continue;
    // The first time includes compiling, and perhaps a collection of garbage.
    if ((await leastOf(2, read, shape(length))) <= MAX_PROBE_GROWTH * before) continue;
    const growth = await growthFrom(length / 4, read, shape);
    if (growth !== null) return growth;
  }
  return null;
}

/** Over two doublings, and further ones while the last of them is superlinear: one may cross the size of a cache. */
async function growthFrom(length: number, read: TextReader, shape: Shape): Promise<string | null> {
  const texts = [length, 2 * length, 4 * length].map(shape);
  const least = texts.map(() => Infinity);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    for (const [at, text] of texts.entries())
      least[at] = Math.min(least[at] ?? Infinity, await timeOf(read, text, MIN_ROUND_MS));
    const [quarter = 0, half = 0, whole = 0] = least;
    if (round < MIN_ROUNDS - 1) continue;
    if (whole <= MAX_GROWTH * half) return null;
    // What takes so long, and so much longer, is no noise.
    if (whole > CLEAR_MS && half > MAX_GROWTH * quarter) break;
  }
  const [quarter = 0, half = 0] = least;
  if (half <= MAX_GROWTH * quarter)
    return 8 * length > MAX_LENGTH ? null : growthFrom(2 * length, read, shape);
  return least.map((ms, at) => `${length * 2 ** at}: ${ms.toFixed(2)} ms`).join(', ');
}

async function leastOf(times: number, read: TextReader, text: string): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < times; round++) least = Math.min(least, await timeOf(read, text));
  return least;
}

/**
 * The clock runs on while other programs hold the processor, and the processor time of the process is that of all its
 * threads, such as the other workers of a run: of the two, the lesser one is nearer to that of this thread. The latter is counted in steps of some
 * milliseconds, so that shorter work is timed by the clock.
 *
 * @param least repeats the work until it has taken so long.
 */
async function timeOf(read: TextReader, text: string, least = 0): Promise<number> {
  const began = process.cpuUsage();
  const beganMs = performance.now();
  let [times, ms] = [0, 0];
  do {
    try {
      const result = read(text);
      if (result instanceof Promise) await result;
    } catch {
      // Refused.
    }
    times++;
    const { user, system } = process.cpuUsage(began);
    ms = performance.now() - beganMs;
    if (ms > COUNTED_MS) ms = Math.min((user + system) / 1_000, ms);
  } while (ms < least);
  return ms / times;
}
