import { afterAll, afterEach, expect, it } from '@jest/globals';
import { CallingTeam, fleetWithoutRateLimits, killApi } from '../support/processes/api-kills.js';
import { randomFrom } from '../support/processes/bulk-chaos.js';
import { RcptProcess } from '../support/processes/rcpt-process.js';

const KILLS = Number(process.env.CHAOS_KILLS ?? 50);
const FROM = Number(process.env.CHAOS_FROM ?? 1_000);

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());
afterAll(() => RcptProcess.endAll());

it(
  `every answer is counted and no unit is lost in ${KILLS} kills of an API process`,
  async () => {
    const started = await fleetWithoutRateLimits(0);
    const { fleet } = started;
    stop = started.stop;
    const team = await CallingTeam.create(fleet, 'metered');
    const random = randomFrom(FROM);
    const sum = {
      answered: 0,
      counted: 0,
      answeredNotCounted: 0,
      countedNotAnswered: 0,
      reserved: 0,
      unpaid: 0,
    };
    for (let kill = 0; kill < KILLS; kill++) {
      if (kill > 0) await fleet.startApi();
      const killed = await killApi(fleet, [team], 1 + Math.floor(random() * 300));
      const { answered = 0, counted = 0, used = 0, free = 0, reserved = 0 } = killed[0] ?? {};
      sum.answered += answered;
      sum.counted += counted;
      sum.answeredNotCounted += Math.max(0, answered - counted);
      sum.countedNotAnswered += Math.max(0, counted - answered);
      sum.unpaid += counted - free - used;
      sum.reserved = reserved;
    }
    process.stdout.write(`${KILLS} kills: ${JSON.stringify(sum)}\n`);
    expect(sum).toMatchObject({ answeredNotCounted: 0, unpaid: 0, reserved: 0 });
  },
  KILLS * 30_000,
);
