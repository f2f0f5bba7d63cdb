import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FuzzTarget } from '../support/fuzz-target.js';

/** The same requests at every run; `npm run test:chaos` makes others. */
const SEED = 1;
const MIXTURES = 3;

describe('the API, asked what its own OpenAPI document says', () => {
  let target: FuzzTarget;
  beforeAll(async () => {
    target = await FuzzTarget.start();
  });
  afterAll(() => target.stop());

  it('takes whatever the document allows, from the making of a thing to its end', async () => {
    const [steps = []] = fc.sample(target.fuzz.life(), { seed: SEED, numRuns: 1 });
    const succeeded = await target.take(steps);
    // The others need somebody else in the team, an invite that is still open, a customer.
    expect(succeeded.size).toBeGreaterThan(0.75 * target.fuzz.operations.length);
  });

  it('answers what is spoilt with a problem that the document names, and never with a fault of ours', async () => {
    for (const steps of fc.sample(target.fuzz.mixture(), { seed: SEED, numRuns: MIXTURES }))
      await target.take(steps);
  });
});
