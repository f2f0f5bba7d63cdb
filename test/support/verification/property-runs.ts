const { PROPERTY_RUNS, PROPERTY_SEED } = process.env;
const MAX_SEED = 2 ** 31;

/**
 * A hundred times as many with `npm run test:chaos`, and other seeds. CI has another seed (`PROPERTY_SEED`) each time,
 * a developer always the same, so that only a change makes a test fail.
 */
export const RUNS = {
  numRuns: Number(PROPERTY_RUNS ?? 200),
  seed: Number(PROPERTY_SEED ?? (PROPERTY_RUNS === undefined ? 1 : Date.now() % MAX_SEED)),
};
