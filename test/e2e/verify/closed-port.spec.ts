import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { anApp, type TestApp } from '../../support/app/app.js';
import { scrape } from '../../support/app/samples.js';
import { plain } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';

/** Nothing listens on the addresses of the first ones. */
const CLOSED = Array.from({ length: 12 }, (_, n) => `closed${n}.mailworld`);

let world: MailWorld;
let app: TestApp;
let key: string;
beforeAll(async () => {
  world = await MailWorld.start({
    scenes: [
      { domain: 'open.mailworld', story: 'is reached', servers: [plain], expect: {} },
      ...CLOSED.map((domain, n) => ({
        domain,
        story: 'is behind a closed port',
        dns: { [domain]: { a: [`127.2.0.${n + 1}`] } },
        expect: {},
      })),
    ],
  });
  app = await anApp(world.env);
  ({ liveKey: key } = await app.anAccount());
});
afterAll(async () => {
  await app.stop();
  await world.stop();
});

const reasonOf = async (domain: string) =>
  ((await app.get(`/v1/verify?email=jane@${domain}`, key)).body as { reason: string }).reason;
const ready = async () => (await app.get('/readyz')).body as object;
const isClosed = async () => (await scrape(app)).get('rcpt_egress_port_closed{egress="direct"}');

it('a closed port 25 is reported in /readyz, the metrics and one warning, until a server is reached', async () => {
  expect(await isClosed()).toBe(0);
  for (const domain of CLOSED) expect(await reasonOf(domain)).toBe('no_connect');
  expect(await ready()).toMatchObject({
    status: 'degraded',
    checks: { egress: 'degraded' },
    reasons: { egress: expect.stringContaining('port 25') },
  });
  expect(await isClosed()).toBe(1);
  const warnings = () => app.logged().match(/connects to no mail server/g) ?? [];
  while (warnings().length === 0) await pause(50);

  expect(await reasonOf('open.mailworld')).toBe('accepted_email');
  expect(await ready()).toMatchObject({ status: 'ok', reasons: {} });
  expect(await isClosed()).toBe(0);
  expect(warnings()).toHaveLength(1);
});
