import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BulkFleet } from '../../support/processes/bulk-fleet.js';
import { ListWorld, slowly } from '../../support/processes/list-world.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { greetingWith } from '../../support/smtp/smtp-behaviours.js';

const SIZE = 300;

describe('a list at its mail servers, with two workers', () => {
  let world: ListWorld;
  let fleet: BulkFleet;
  let key: string;
  beforeAll(async () => {
    world = await ListWorld.start(SIZE);
    fleet = await BulkFleet.start('PostgreSQL', 2, { ...world.env, BULK_DEADLINE: '1m' });
  });
  beforeEach(async () => {
    // Another team's verdicts are not remembered for it.
    ({ live_key: key } = await fleet.anAccount('unlimited'));
    world.reset();
  });
  afterAll(async () => {
    await fleet.stop();
    await world.stop();
    await RcptProcess.endAll();
  });

  it('is right elsewhere when a provider begins to reject connections, and never wrong there', async () => {
    const { google } = world.providers;
    const id = await fleet.submit(world.rows, key);
    await world.untilSent(SIZE);
    for (const server of google.servers) server.behaviour = greetingWith('421 4.7.0 Too many connections');
    await world.untilSent(2 * SIZE);
    for (const server of google.servers) server.behaviour = slowly();
    const wrong = await world.wrongRows(fleet, id, key);
    expect(wrong.filter(({ email, status }) => !email.includes('@google') || status !== 'unknown')).toEqual(
      [],
    );
  }, 120_000);
});
