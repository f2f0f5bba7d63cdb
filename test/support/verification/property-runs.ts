/** More with `npm run test:chaos`. */
export const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 2_000) };
