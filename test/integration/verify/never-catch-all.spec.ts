import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { resultsOf, sendList, workOn } from '../../support/app/bulk.js';
import type { MailScene } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { catchAll, mailboxes, recipients, type SmtpBehaviour } from '../../support/smtp/smtp-behaviours.js';

const DAY_MS = 86_400_000;
const PEOPLE = Array.from({ length: 12 }, (_, n) => `jane.no${n}`);
const REJECTS = mailboxes(...PEOPLE);
const DEFERS_OTHERS = recipients(
  Object.fromEntries(PEOPLE.map((name) => [name, '250 2.1.5 Ok'])),
  '451 4.3.0 Try again later',
);

const at = (domain: string, host: string): MailScene => ({
  domain,
  hosts: [host],
  servers: [REJECTS],
  story: 'is a domain of a provider whose own domains are never a catch-all',
  expect: {},
});

describe('a domain that the table of providers says is no catch-all', () => {
  let world: MailWorld;
  let app: TestApp;
  let key: string;
  let people: string[];

  beforeEach(async () => {
    world = await MailWorld.start({
      scenes: [
        at('gmail.com', 'gmail-smtp-in.l.google.com'),
        at('googlemail.com', 'alt1.gmail-smtp-in.l.google.com'),
        at('icloud.com', 'mx01.mail.icloud.com'),
      ],
    });
    app = await anApp(world.env);
    key = (await app.anAccount()).liveKey;
    people = [...PEOPLE];
  });
  afterEach(async () => {
    await app.stop();
    await world.stop();
  });

  const verify = async (domain: string, localPart = people.shift()): Promise<VerdictResponse> => {
    const answer = await app.get(`/v1/verify?email=${localPart}@${domain}`, key);
    expect(answer.status).toBe(200);
    return answer.body as VerdictResponse;
  };
  const behave = (behaviour: SmtpBehaviour) => {
    for (const domain of ['gmail.com', 'googlemail.com']) world.server(domain).behaviour = behaviour;
  };
  /** Random addresses that its servers were sent. */
  const randoms = (...domains: string[]) =>
    domains
      .flatMap((domain) => world.server(domain).commandsOf('RCPT'))
      .filter((line) => !line.includes('jane')).length;
  const DELIVERABLE = { reason: 'accepted_email', checks: { catch_all: false } };
  const CATCH_ALL = { reason: 'catch_all', checks: { catch_all: true } };

  it('is sent one random address a day, as any other domain', async () => {
    expect(await verify('gmail.com')).toMatchObject(DELIVERABLE);
    for (const domain of ['gmail.com', 'googlemail.com'])
      expect(await verify(domain)).toMatchObject(DELIVERABLE);
    expect([randoms('gmail.com'), randoms('googlemail.com')]).toEqual([1, 1]);
    app.clock.advance(DAY_MS - 60_000);
    await verify('gmail.com');
    expect(randoms('gmail.com')).toBe(1);
    app.clock.advance(60_000);
    await verify('gmail.com');
    await verify('gmail.com');
    expect([randoms('gmail.com'), randoms('googlemail.com')]).toEqual([2, 1]);
  });

  it('is a catch-all when it accepts the random address, until it rejects one', async () => {
    behave(catchAll());
    expect(await verify('gmail.com')).toMatchObject(CATCH_ALL);
    expect(await verify('gmail.com')).toMatchObject(CATCH_ALL);
    app.clock.advance(DAY_MS);
    behave(REJECTS);
    expect(await verify('gmail.com')).toMatchObject(DELIVERABLE);
    expect(randoms('gmail.com')).toBe(2);
  });

  it('is what the table says for a day when the reply to the random address shows nothing', async () => {
    behave(DEFERS_OTHERS);
    expect(await verify('gmail.com')).toMatchObject(DELIVERABLE);
    expect(await verify('gmail.com')).toMatchObject(DELIVERABLE);
    expect(randoms('gmail.com')).toBe(1);
  });

  it('is sent none with an address that it rejects, and one with the next that it accepts', async () => {
    expect(await verify('gmail.com', 'jane.unknown')).toMatchObject({ reason: 'mailbox_not_found' });
    expect(randoms('gmail.com')).toBe(0);
    await verify('gmail.com');
    expect(randoms('gmail.com')).toBe(1);
  });

  it('is sent one with all rows of a list', async () => {
    const emails = PEOPLE.map((name) => `${name}@gmail.com`);
    const list = await sendList(app, key, JSON.stringify({ emails }), 'application/json');
    await workOn(app);
    const rows = await resultsOf(app, key, (list.body as { id: string }).id);
    expect(rows).toMatchObject(PEOPLE.map(() => ({ reason: 'accepted_email' })));
    expect(randoms('gmail.com')).toBe(1);
  });
});
