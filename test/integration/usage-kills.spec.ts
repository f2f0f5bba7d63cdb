import { afterAll, afterEach, expect, it } from '@jest/globals';
import { KilledApis } from '../support/processes/api-kills.js';
import { RcptProcess } from '../support/processes/rcpt-process.js';

let apis: KilledApis | undefined;
afterEach(() => apis?.stop());
afterAll(() => RcptProcess.endAll());

/** A few of the cases that `npm run test:chaos` repeats many times. */
it.each([
  ['metered', [500, 100]],
  ['unlimited', [250]],
] as const)(
  'a killed API process has counted every answer and blocks no unit (tier %s)',
  async (tier, delaysMs) => {
    apis = await KilledApis.start(tier);
    for (const after of delaysMs) {
      const { answered, inFlight, counted, used, free, reserved } = await apis.kill(after);
      expect(counted).toBeGreaterThanOrEqual(answered);
      expect(counted).toBeLessThanOrEqual(answered + inFlight);
      expect({ used, reserved }).toEqual({ used: counted - free, reserved: 0 });
    }
  },
  120_000,
);
