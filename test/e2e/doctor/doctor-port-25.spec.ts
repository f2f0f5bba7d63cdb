import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DoctorEnvironment } from '../../support/app/doctor.js';
import { HANG_UP } from '../../support/smtp/smtp-behaviours.js';
import { SocksServer } from '../../support/smtp/socks-server.js';

let world: DoctorEnvironment;
beforeEach(async () => {
  world = await DoctorEnvironment.start();
});
afterEach(() => world.stop());

describe('the doctor’s check of port 25', () => {
  const port25 = async (env: Record<string, string> = {}) => (await world.examine(env)).port_25;

  it('fails when no mail server can be reached, and explains how to fix it', async () => {
    await world.closePort25();
    expect(await port25()).toMatchObject({
      level: 'fail',
      found: expect.stringMatching(/none of the mail servers can be reached: .*ECONNREFUSED/),
      whatToDo: expect.stringMatching(/hosting provider.*SMTP_PROXY_URL/),
    });
  });

  it('warns when one refuses the connection, with its reply', async () => {
    await world.stop();
    world = await DoctorEnvironment.start({ outlook: '554 5.7.1 listed' });
    expect(await port25()).toMatchObject({
      level: 'warn',
      found: expect.stringMatching(/Microsoft \(554 5\.7\.1 listed\)/),
    });
  });

  it('warns when one cannot be reached', async () => {
    await world.stop();
    world = await DoctorEnvironment.start({ yahoo: HANG_UP });
    expect(await port25()).toMatchObject({
      level: 'warn',
      found: expect.stringMatching(/cannot be reached: Yahoo/),
    });
  });

  it('fails when the network intercepts the connections', async () => {
    await world.stop();
    world = await DoctorEnvironment.start({ google: '220 relay.provider.test ESMTP' });
    expect(await port25()).toMatchObject({
      level: 'fail',
      found: expect.stringMatching(/another server answers/),
    });
  });

  it('connects through the proxy, and reports a broken one', async () => {
    const proxy = await SocksServer.start();
    const broken = await SocksServer.start({ reply: 1 });
    const through = ({ host, port }: SocksServer) => port25({ SMTP_PROXY_URL: `socks5://${host}:${port}` });
    expect(await through(proxy)).toMatchObject({
      level: 'pass',
      found: expect.stringMatching(/through the proxy/),
    });
    expect(await through(broken)).toMatchObject({
      level: 'fail',
      found: expect.stringMatching(/the proxy does not work/),
    });
    expect([proxy.requests.length, broken.requests.length]).toEqual([4, 4]);
    await Promise.all([proxy.stop(), broken.stop()]);
  });

  it.each([
    ['fails when the network removes STARTTLS', 'absent', 'fail', /Google does not offer STARTTLS to us/],
    ['fails when there is no handshake', 'broken', 'fail', /the TLS handshake with Google fails/],
    ['is not made when the server refuses it for now', 'refused', 'skipped', /refuses STARTTLS/],
  ] as const)('the check of TLS %s', async (_, startTls, level, says) => {
    const [google] = world.providers;
    if (google) google.behaviour = { ...google.behaviour, startTls };
    expect((await world.examine()).tls).toMatchObject({ level, found: expect.stringMatching(says) });
  });

  it('is skipped when SMTP is disabled', async () => {
    expect(await port25({ SMTP_ENABLED: 'false' })).toMatchObject({ level: 'skipped' });
    expect(world.providers.map(({ connections }) => connections)).toEqual([0, 0, 0]);
  });
});
