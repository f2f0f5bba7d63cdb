import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { UsageTodayResponse } from '../../../src/modules/identity/usage/usage.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aHeldJob, jobOf, previewOn, workOn } from '../../support/app/bulk.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { randomFrom } from '../../support/processes/bulk-chaos.js';
import { mailboxes } from '../../support/smtp/smtp-behaviours.js';

const LISTS = 15;
const MAX_ROWS = 14;
const VERIFIED_BEFORE = ['jane@plain.mailworld', 'zoe@gmail.com'];

/** A text, what identifies its address, and what identifies its mailbox. */
interface Entry {
  text: string;
  address: string;
  mailbox: string;
  cost: 'unit' | 'blocked' | 'unknown' | 'empty';
}

const entry = (
  text: string,
  address: string,
  cost: Entry['cost'] = 'unit',
  mailbox: string = address,
): Entry => ({ text, address, mailbox, cost });

/** Spellings of the same are next to each other; each is as likely as the others. */
const ENTRIES: readonly Entry[] = [
  entry('jane@plain.mailworld', 'jane'),
  entry('JANE@Plain.Mailworld', 'jane'),
  entry('  "jane"@plain.mailworld ', 'jane'),
  entry('ghost@plain.mailworld', 'ghost'),
  entry('jane+x@plain.mailworld', 'jane+x'),
  entry('zoe@gmail.com', 'zoe', 'unit', 'zoe'),
  entry('Z.oe@gmail.com', 'z.oe', 'unit', 'zoe'),
  entry('zoe+news@googlemail.com', 'zoe+news', 'unit', 'zoe'),
  entry('jane@gone.mailworld', 'gone'),
  entry('x@mailinator.com', 'disposable'),
  entry('no address', 'syntax 1'),
  entry(' no address', 'syntax 1'),
  entry('Jane <jane@plain.mailworld>', 'syntax 2'),
  entry('jane@@plain.mailworld', 'syntax 3'),
  entry('', '', 'empty'),
  entry('   ', '', 'empty'),
  entry('a@blocked.mailworld', 'blocked a', 'blocked'),
  entry('A@blocked.mailworld', 'blocked a', 'blocked'),
  entry('b@sub.blocked.mailworld', 'blocked b', 'blocked'),
  entry('jane@broken.mailworld', 'unknown', 'unknown'),
  entry('Jane@broken.mailworld', 'unknown', 'unknown'),
];

const google = mailboxes('zoe', 'Z.oe', 'z.oe', 'zoe+news');
const SCENES = [
  { domain: 'plain.mailworld', story: '', servers: [mailboxes('jane')], expect: {} },
  { domain: 'gmail.com', story: '', servers: [google], expect: {} },
  { domain: 'googlemail.com', story: '', servers: [google], expect: {} },
  {
    domain: 'broken.mailworld',
    story: '',
    dns: { 'broken.mailworld': { rcode: 'SERVFAIL' as const } },
    expect: {},
  },
];

describe('max_charge of a preview', () => {
  let world: MailWorld;
  let app: TestApp;
  beforeAll(async () => {
    world = await MailWorld.start({ scenes: SCENES });
    app = await anApp(world.env);
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const used = async ({ liveKey }: NewAccount) =>
    ((await app.get('/v1/usage', liveKey)).body as UsageTodayResponse).quota.used;

  /** Random entries, and by what they are counted. */
  const aList = (seed: number) => {
    const random = randomFrom(seed);
    const pick = () => ENTRIES[Math.floor(random() * ENTRIES.length)]!;
    const rows = Array.from({ length: 1 + Math.floor(random() * MAX_ROWS) }, pick);
    const by = random() < 0.5 ? 'address' : 'canonical';
    const isKnown = random() < 0.4;
    const named = rows.some(({ cost }) => cost !== 'empty') ? rows : [...rows, ENTRIES[0]!];
    const costs = new Map(
      named
        .filter(({ cost }) => cost !== 'empty')
        .map((each) => [by === 'address' ? each.address : each.mailbox, each.cost]),
    );
    const count = (cost: Entry['cost']) => [...costs.values()].filter((each) => each === cost).length;
    return {
      rows: named,
      by,
      isKnown,
      unique: costs.size,
      blocked: count('blocked'),
      unknown: count('unknown'),
    };
  };

  it('is what the list costs at most, and all of it unless an answer is unknown', async () => {
    const runs = await Promise.all(
      Array.from({ length: LISTS }, async (_, seed) => {
        const list = aList(seed);
        const account = await app.anAccount('scale');
        const { liveKey } = account;
        await app.post('/v1/blocklist', liveKey).send({ domain: 'blocked.mailworld' });
        if (list.isKnown)
          for (const email of VERIFIED_BEFORE) await app.get(`/v1/verify?email=${email}`, liveKey);
        const emails = list.rows.map(({ text }) => text);
        const { id } = await aHeldJob(app, liveKey, emails, { unique: list.by });
        return { seed, list, account, id, usedBefore: await used(account) };
      }),
    );
    await previewOn(app);
    const previews = new Map<number, number | undefined>();
    for (const { seed, list, account, id } of runs) {
      const { preview } = await jobOf(app, account.liveKey, id);
      previews.set(seed, preview?.max_charge);
      const { rows, unique, blocked } = list;
      const empty = rows.filter(({ cost }) => cost === 'empty').length;
      expect({ seed, ...preview }).toMatchObject({
        seed,
        rows: rows.length,
        unique,
        duplicates: rows.length - empty - unique,
        max_charge: unique - blocked,
      });
      expect((await app.post(`/v1/bulk-jobs/${id}/start`, account.liveKey)).body).toMatchObject({
        status: 'queued',
        usage: { reserved: unique },
      });
    }
    await workOn(app);
    for (const { seed, list, account, id, usedBefore } of runs) {
      const { status, usage } = await jobOf(app, account.liveKey, id);
      const charged = (await used(account)) - usedBefore;
      expect({ seed, status, charged: usage.charged }).toEqual({ seed, status: 'completed', charged });
      expect(charged).toBeLessThanOrEqual(previews.get(seed) ?? -1);
      expect({ seed, charged }).toEqual({ seed, charged: list.unique - list.blocked - list.unknown });
    }
  });
});
