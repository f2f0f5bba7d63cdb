import { afterAll, beforeAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { FuzzTarget } from '../support/openapi/fuzz-target.js';

/** Passes over all operations; `CHAOS_FROM` selects other seeds. */
const SEEDS = Number(process.env.CHAOS_SEEDS ?? 14) * 10;
const FROM = Number(process.env.CHAOS_FROM ?? 1_000);

describe('the API, fuzzed by its own OpenAPI document', () => {
  let target: FuzzTarget;
  beforeAll(async () => {
    target = await FuzzTarget.start();
  });
  afterAll(() => target.stop());

  it.each(Array.from({ length: SEEDS }, (_, n) => FROM + n))(
    'gives documented responses to valid and mutated requests (seed %d)',
    async (seed) => {
      const [life = [], mixture = []] = [target.fuzz.life(), target.fuzz.mixture()].map(
        (steps) => fc.sample(steps, { seed, numRuns: 1 })[0] ?? [],
      );
      await target.take(life);
      await target.take(mixture);
    },
  );
});
