import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, jobOf, recheckOn, verifyOn } from '../../support/app/bulk.js';
import type { DnsName } from '../../support/dns/dns-zones.js';
import type { MailScene } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { mailboxes, recipients, type SmtpBehaviour } from '../../support/smtp/smtp-behaviours.js';

const ROWS = 200;
const REFUSAL = '550 5.7.606 Access denied, banned sending IP [127.0.0.1]';

/** A provider with many customers' domains, all at one server. */
function provider(name: string, host: string, server: SmtpBehaviour): MailScene {
  const dns: Record<string, DnsName> = {};
  for (let n = 0; n < ROWS; n += 1) dns[`${name}${n}.mailworld`] = { mx: [[10, host]] };
  return { domain: `${name}.mailworld`, story: name, servers: [server], hosts: [host], dns, expect: {} };
}
const rowsOf = (name: string, localPart = 'jane') =>
  Array.from({ length: ROWS }, (_, n) => `${localPart}@${name}${n}.mailworld`);

/** As with an open breaker: the rows cost nothing and are rechecked. */
const ALL_DEFERRED = { deferred: ROWS, processed: 0, usage: { charged: 0 } };

const refusing = recipients({}, REFUSAL);
const jane = mailboxes('jane');

describe('a list at a provider that refuses us', () => {
  let world: MailWorld;
  let app: TestApp;
  beforeAll(async () => {
    world = await MailWorld.start({
      scenes: [
        provider('known', 'eu-mailworld.mail.protection.outlook.com', refusing),
        provider('hoster', 'mx.refusing-hoster.example', refusing),
        provider('banner', 'us-mailworld.mail.protection.outlook.com', {
          ...jane,
          banner: { afterMs: 50, then: '554 5.7.1 Your IP address is blocked' },
        }),
        provider('honest', 'mx.honest-hoster.example', jane),
        provider('other', 'mx.other-hoster.example', jane),
      ],
    });
    app = await anApp(world.env);
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const run = async (key: string, emails: string[]) => {
    const { id } = await aBulkJob(app, key, emails);
    await verifyOn(app);
    return jobOf(app, key, id);
  };
  const asked = (name: string) => {
    const server = world.server(`${name}.mailworld`);
    return { dials: server.connections, recipients: server.commandsOf('RCPT').length };
  };

  it.each(['known', 'hoster'])('ends after a few refusals, with one team: %s', async (name) => {
    const { liveKey } = await app.anAccount();
    expect(await run(liveKey, rowsOf(name))).toMatchObject(ALL_DEFERRED);
    const { dials, recipients } = asked(name);
    expect(recipients).toBeGreaterThanOrEqual(6);
    expect(recipients).toBeLessThanOrEqual(13);
    expect(dials).toBeLessThanOrEqual(8);
  });

  it('is tried once after the pause, whatever is rechecked then', async () => {
    const before = asked('known').recipients;
    app.clock.advance(5 * 60_000 + 1);
    await recheckOn(app);
    expect(asked('known').recipients).toBe(before + 1);
  });

  it('ends as soon when it refuses connections', async () => {
    const { liveKey } = await app.anAccount();
    expect(await run(liveKey, rowsOf('banner'))).toMatchObject(ALL_DEFERRED);
    expect(asked('banner').dials).toBeLessThanOrEqual(3);
  });

  it('costs as little for a second team, whose own first refusals count', async () => {
    const before = asked('known').recipients;
    const { liveKey } = await app.anAccount();
    await run(liveKey, rowsOf('known'));
    const recipients = asked('known').recipients - before;
    expect(recipients).toBeGreaterThanOrEqual(6);
    expect(recipients).toBeLessThanOrEqual(13);
  });

  it('does not stop the rows at other providers, nor one whose first replies are unknown users', async () => {
    const { liveKey } = await app.anAccount();
    const emails = [...rowsOf('known'), ...rowsOf('honest', 'ghost'), ...rowsOf('other')];
    expect(await run(liveKey, emails)).toMatchObject({
      deferred: ROWS,
      by_status: { undeliverable: ROWS, deliverable: ROWS, unknown: 0 },
    });
  });
});
