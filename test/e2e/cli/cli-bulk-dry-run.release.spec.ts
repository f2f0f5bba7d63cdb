import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BulkProcessor } from '../../../src/modules/lists/bulk/work/bulk.processor.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { previewOn } from '../../support/app/bulk.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { ListFolder } from '../../support/processes/list-folder.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';
import { mailboxes } from '../../support/smtp/smtp-behaviours.js';

const LIST = [
  'name;email',
  'A;jane@plain.mailworld',
  'B;JANE@plain.mailworld',
  'C;x@mailinator.com',
  'D;Jane <jane@plain.mailworld>',
  'E;info@gone.mailworld',
].join('\n');

describe('rcpt bulk --dry-run', () => {
  let world: MailWorld;
  let app: TestApp;
  let folder: ListFolder;
  beforeAll(async () => {
    const plain = { servers: [mailboxes('jane')], story: 'accepts jane', expect: {} };
    world = await MailWorld.start({ scenes: [{ ...plain, domain: 'plain.mailworld' }] });
    app = await anApp(world.env);
    folder = await ListFolder.make();
    await folder.write('list.csv', LIST);
  });
  afterAll(async () => {
    await folder.remove();
    await app.stop();
    await world.stop();
  });

  const expected = {
    rows: 5,
    unique: 4,
    duplicates: 1,
    invalid_syntax: 1,
    disposable: 1,
    role: 1,
    providers: [{ name: 'plain.mailworld', addresses: 1 }],
    warnings: [{ code: 'wrapped', line: 5 }],
  };

  it('prints what a list contains without a service, writes no file and asks no mail server', async () => {
    const run = (...more: string[]) =>
      runRcpt(['bulk', folder.in('list.csv'), '--dry-run', ...more], world.env);
    const { code, out } = await run('--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ...expected, stored: 0, max_charge: 0 });
    expect((await run()).out).toMatch(
      /^5 rows\n {2}unique addresses 4\n[^]*warning: line 5: 1 row has a name or marks around the address\. With --extract-address the/,
    );
    expect(world.server('plain.mailworld').connections).toBe(0);
    await expect(folder.text('list.verified.csv')).rejects.toThrow('ENOENT');
  });

  it('prints what a service says, and leaves no list there', async () => {
    const { liveKey } = await app.anAccount('free');
    const env = { RCPT_URL: app.url, RCPT_API_KEY: liveKey };
    let isRunning = true;
    const work = async () => {
      while (isRunning) {
        if ((await app.service.app.get(BulkProcessor).enqueueWaiting()) > 0) await previewOn(app);
        await new Promise(setImmediate);
      }
    };
    const worker = work();
    const { code, out } = await runRcpt(['bulk', folder.in('list.csv'), '--dry-run', '--json'], env);
    isRunning = false;
    await worker;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ...expected, max_charge: 4 });
    const jobs = await app.get('/v1/bulk-jobs', liveKey);
    expect((jobs.body as { data: unknown[] }).data).toEqual([]);
    expect(world.server('plain.mailworld').connections).toBe(0);
  });

  it('names the line of a list that cannot be read, with and without a service, which keeps nothing', async () => {
    const rows = Array.from({ length: 300 }, (_, n) => `Person ${n};person${n}@plain.mailworld`);
    rows[250] = 'Jane;"jane@plain.mailworld';
    await folder.write('wrong.csv', ['name;email', ...rows].join('\n'));
    const { liveKey } = await app.anAccount('free');
    for (const env of [world.env, { RCPT_URL: app.url, RCPT_API_KEY: liveKey }]) {
      const { code, err } = await runRcpt(['bulk', folder.in('wrong.csv'), '--dry-run'], env);
      expect(code).not.toBe(0);
      expect(err).toMatch(/\bline 252\b/i);
    }
    const jobs = await app.get('/v1/bulk-jobs', liveKey);
    expect((jobs.body as { data: unknown[] }).data).toEqual([]);
  });
});
