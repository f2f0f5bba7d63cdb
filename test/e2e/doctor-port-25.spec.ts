import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DoctorsWorld } from '../support/doctor.js';
import { HANG_UP } from '../support/smtp-behaviours.js';
import { SocksServer } from '../support/socks-server.js';

let world: DoctorsWorld;
beforeEach(async () => {
  world = await DoctorsWorld.start();
});
afterEach(() => world.stop());

describe('the doctor on port 25', () => {
  const port25 = async (env: Record<string, string> = {}) => (await world.examine(env)).port_25;

  it('fails when no mail server can be reached, and says how to get out', async () => {
    await world.closePort25();
    expect(await port25()).toMatchObject({
      level: 'fail',
      found: expect.stringMatching(/none of the mail servers can be reached: .*ECONNREFUSED/),
      whatToDo: expect.stringMatching(/hosting provider.*SMTP_PROXY_URL/),
    });
  });

  it('warns when one of them turns us away, with its words', async () => {
    await world.stop();
    world = await DoctorsWorld.start({ outlook: '554 5.7.1 listed' });
    expect(await port25()).toMatchObject({
      level: 'warn',
      found: expect.stringMatching(/Microsoft \(554 5\.7\.1 listed\)/),
    });
  });

  it('warns when one of them cannot be reached', async () => {
    await world.stop();
    world = await DoctorsWorld.start({ yahoo: HANG_UP });
    expect(await port25()).toMatchObject({
      level: 'warn',
      found: expect.stringMatching(/cannot be reached: Yahoo/),
    });
  });

  it('fails when the network answers in their place', async () => {
    await world.stop();
    world = await DoctorsWorld.start({ google: '220 relay.provider.test ESMTP' });
    expect(await port25()).toMatchObject({
      level: 'fail',
      found: expect.stringMatching(/somebody else answers/),
    });
  });

  it('is dialled through the proxy, and a broken one is named', async () => {
    const proxy = await SocksServer.start();
    const broken = await SocksServer.start({ reply: 1 });
    const through = ({ host, port }: SocksServer) => port25({ SMTP_PROXY_URL: `socks5://${host}:${port}` });
    expect(await through(proxy)).toMatchObject({
      level: 'pass',
      found: expect.stringMatching(/through the proxy/),
    });
    expect(await through(broken)).toMatchObject({
      level: 'fail',
      found: expect.stringMatching(/the proxy leads nowhere/),
    });
    expect([proxy.requests.length, broken.requests.length]).toEqual([3, 3]);
    await Promise.all([proxy.stop(), broken.stop()]);
  });

  it('is not looked at when mail servers are never asked', async () => {
    expect(await port25({ SMTP_ENABLED: 'false' })).toMatchObject({ level: 'skipped' });
    expect(world.providers.map(({ connections }) => connections)).toEqual([0, 0, 0]);
  });
});
