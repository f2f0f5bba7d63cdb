import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FuzzTarget } from '../../support/openapi/fuzz-target.js';

/** Fixed for this test; `npm run test:chaos` uses random seeds. */
const SEED = 4;
const MIXTURES = 3;

describe('the API, fuzzed by its own OpenAPI document', () => {
  let target: FuzzTarget;
  beforeAll(async () => {
    target = await FuzzTarget.start();
  });
  afterAll(() => target.stop());

  it('accepts every valid request, over the life cycle of each resource', async () => {
    const [steps = []] = fc.sample(target.fuzz.life(), { seed: SEED, numRuns: 1 });
    const succeeded = await target.take(steps);
    // The others need a second member, a pending invite, or a customer.
    expect(succeeded.size).toBeGreaterThan(0.75 * target.fuzz.operations.length);
  });

  it('answers invalid requests with a documented problem, and never with an internal error', async () => {
    for (const steps of fc.sample(target.fuzz.mixture(), { seed: SEED, numRuns: MIXTURES }))
      await target.take(steps);
  });
});
