import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkAddresses } from '../../../src/modules/operation/doctor/checks/public-addresses.js';
import { readConfig } from '../../../src/platform/config/config.js';
import { DoctorEnvironment, SEEN_AS } from '../../support/app/doctor.js';
import { SocksServer } from '../../support/smtp/socks-server.js';

const PASSWORD = 'hunter2-doctor';
const ACCOUNT = { username: 'rcpt', password: PASSWORD };
const BOUND = '127.0.0.78';

let world: DoctorEnvironment;
let open: SocksServer;
let refusing: SocksServer;
beforeAll(async () => {
  world = await DoctorEnvironment.start();
  open = await SocksServer.start({ account: ACCOUNT });
  refusing = await SocksServer.start({ account: { ...ACCOUNT, password: 'another' } });
});
afterAll(async () => {
  await Promise.all([world.stop(), open.stop(), refusing.stop()]);
});

const proxied = ({ host, port }: SocksServer, options: string) =>
  `socks5://rcpt:${PASSWORD}@${host}:${port};${options}`;
const egresses = () =>
  [
    'direct',
    `bind:${BOUND}`,
    'bind:203.0.113.99',
    proxied(open, 'name=open'),
    proxied(refusing, 'name=refusing;helo=other.example.test;from=checks@nowhere.test'),
  ].join();

describe('the doctor, for each of several egresses', () => {
  it('checks that its address exists, or that its proxy supports SOCKS5 and accepts the connection', async () => {
    const examined = await world.examine({ SMTP_EGRESS: egresses() }, { egressIps: [`open=${SEEN_AS}`] });
    expect(examined['egress direct']).toMatchObject({ level: 'pass', egress: 'direct' });
    expect(examined['egress egress-2']).toMatchObject({ level: 'pass' });
    expect(examined['egress egress-3']).toMatchObject({
      level: 'fail',
      found: '203.0.113.99 is not an address of this machine',
      whatToDo: expect.stringMatching(/network interface.*SMTP_EGRESS/),
    });
    expect(examined['egress open']).toMatchObject({ level: 'pass', found: expect.stringMatching(/SOCKS5/) });
    expect(examined['egress refusing']).toMatchObject({
      level: 'fail',
      found: 'the proxy cannot be used: the proxy refused the user or the password',
      whatToDo: expect.stringMatching(/start the proxy, or correct/),
    });
    expect(JSON.stringify(examined)).not.toContain(PASSWORD);
  });

  it('checks its route to port 25, its EHLO name, reverse name, sender and listings', async () => {
    const examined = await world.examine({ SMTP_EGRESS: egresses() }, { egressIps: [`open=${SEEN_AS}`] });
    const levels = (egress: string) =>
      ['port_25', 'ehlo_name', 'reverse_name', 'sender_domain', 'sender_policy'].map(
        (check) => examined[`${check} ${egress}`]?.level,
      );
    expect(levels('open')).toEqual(['pass', 'pass', 'pass', 'pass', 'pass']);
    expect(levels('refusing')).toEqual(['fail', 'fail', 'skipped', 'fail', 'skipped']);
    expect(examined['port_25 egress-3']).toMatchObject({
      level: 'fail',
      found: expect.stringMatching(/source address does not work.*EADDRNOTAVAIL/),
    });
    expect(examined['dns_lists open']?.level).toBe('pass');
    // Checks that do not depend on the egress run once.
    expect(examined.resolver).toMatchObject({ egress: null });
  });

  it('says nothing of egresses when there is one', async () => {
    const examined = await world.examine();
    expect(Object.values(examined).map(({ egress }) => egress)).toEqual(
      Object.values(examined).map(() => null),
    );
  });

  it.each([
    [['203.0.113.25', 'direct=203.0.113.25'], null],
    [['proxy.example'], '--egress-ip must be an address'],
    [['berlin=203.0.113.25'], 'must name an egress of SMTP_EGRESS before the equals sign: direct, egress-2'],
  ])('takes --egress-ip %j', (texts, problem) => {
    const { smtp } = readConfig({ SMTP_EGRESS: egresses() });
    const check = () => checkAddresses(texts, smtp.egresses);
    if (problem === null) expect(check).not.toThrow();
    else expect(check).toThrow(problem);
  });
});
