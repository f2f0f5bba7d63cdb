import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Charge } from '../../../src/kernel/charge.js';
import {
  DailyQuotaExceeded,
  type ChargeableVerdict,
} from '../../../src/modules/identity/usage/usage.service.js';
import { aQuotaDatabase, type QuotaDatabase } from '../../support/usage/quota-database.js';
import { AdjustableClock } from '../../support/time/adjustable-clock.js';
import { aCaller, FREE, PAID, usageOn, type UsageParts } from '../../support/usage/usage-parts.js';

const STEPS = 150;

let database: QuotaDatabase;
beforeAll(async () => {
  database = await aQuotaDatabase();
});
beforeEach(() => database.clear());
afterAll(() => database.drop());

/** Random numbers from a seed (xorshift32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

it.each([1, 2, 3, 4])(
  'no random sequence of operations exceeds a limit or leaves a reservation (seed %i)',
  async (seed) => {
    const random = randomFrom(seed * 2_654_435_761);
    const limit = 1_000 + random(1_500);
    const clock = new AdjustableClock();
    const nodes = await Promise.all([1, 2].map(() => usageOn(database.url, { limited: limit }, clock)));
    const node = () => nodes[random(2)] as UsageParts;
    const caller = aCaller('limited');
    const open: Charge[] = [];
    let paid = 0;
    let answeredInAll = 0;

    const answersTo = (units: number): ChargeableVerdict[] =>
      Array.from({ length: units }, () => (random(3) === 0 ? FREE : PAID));
    const count = (answered: readonly ChargeableVerdict[]) => {
      paid += answered.filter(({ free }) => !free).length;
      answeredInAll += answered.length;
    };
    const refused = (error: unknown) => {
      if (!(error instanceof DailyQuotaExceeded)) throw error;
    };
    const call = async () => {
      const answered = answersTo(1 + random(3));
      await node()
        .usage.charge(caller, answered)
        .then(() => count(answered), refused);
    };
    const reserve = async () => {
      const charge = await node()
        .usage.reserve(caller, 1 + random(120))
        .catch(refused);
      if (charge) open.push(charge);
    };
    const finish = async (answers: boolean) => {
      const [charge] = open.splice(random(open.length), 1);
      if (charge === undefined) return;
      const answered = answers ? answersTo(charge.units) : [];
      count(answered);
      await node().usage.chargeReserved(charge, answered);
    };
    const acts = [
      call,
      call,
      call,
      reserve,
      () => finish(true),
      () => finish(false),
      async () => clock.advance(random(4_000)),
      async () => void (await node().usage.load(caller)),
    ];
    for (let step = 0; step < STEPS; step++) {
      const act = async () => acts[random(acts.length)]?.();
      await Promise.all(Array.from({ length: 1 + random(4) }, act));
      for (const { used, reserved } of await database.days())
        expect(used + reserved).toBeLessThanOrEqual(limit);
    }
    while (open.length > 0) await finish(random(2) === 0);
    expect(await database.days()).toMatchObject([{ used: paid, reserved: 0 }]);
    expect(await database.counts()).toMatchObject([{ single: answeredInAll, free: answeredInAll - paid }]);
    for (const node of nodes) await node.close();
  },
);
