import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { workOn } from '../../support/app/bulk.js';
import { plain } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { ListFolder } from '../../support/processes/list-folder.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';
import { recipients } from '../../support/smtp/smtp-behaviours.js';

const SCENES = [
  { domain: 'shy.mailworld', story: 'defers', servers: [recipients({}, '450 4.2.0 Greylisted')], expect: {} },
  { domain: 'plain.mailworld', story: 'knows its users', servers: [plain], expect: {} },
];

describe('rcpt bulk, with a service whose job has deferred rows', () => {
  let world: MailWorld;
  let app: TestApp;
  let key: string;
  let folder: ListFolder;
  let working = true;
  let work: Promise<void>;
  beforeAll(async () => {
    world = await MailWorld.start({ scenes: SCENES });
    app = await anApp({ ...world.env, BULK_DEADLINE: '30m' });
    key = (await app.anAccount()).liveKey;
    work = (async () => {
      while (working) {
        await workOn(app);
        await pause(20);
      }
    })();
  });
  afterAll(async () => {
    working = false;
    await work;
    await app.stop();
    await world.stop();
  });
  beforeEach(async () => {
    folder = await ListFolder.make();
    await folder.writeList(['jane@shy.mailworld', 'jane@plain.mailworld', 'no address']);
  });
  afterEach(async () => {
    await RcptProcess.endAll();
    await folder.remove();
  });

  const env = () => ({ RCPT_URL: app.url, RCPT_API_KEY: key });
  const jobs = async () => ((await app.get('/v1/bulk-jobs', key)).body as { data: BulkJobResponse[] }).data;

  it('says what is deferred and until when, once, and completes it with --finish', async () => {
    const before = (await jobs()).length;
    const first = RcptProcess.run(['../bin/rcpt.js', 'bulk', folder.in('list.csv')], env());
    await first.until(() => first.stderr.includes('--finish'));
    expect(first.stderr).toMatch(
      /\nrcpt: 1 row deferred: the mail servers asked to try again later; the next attempt is at \d\d:\d\d, and at \d\d:\d\d they are completed with what is known\. To complete them now, end this with Ctrl-C, and run the same command with --finish\.\n$/,
    );
    await first.end('SIGINT');
    const [job] = await jobs();
    expect(job).toMatchObject({ name: 'list.csv', status: 'running', processed: 2, deferred: 1 });
    const { code, out, err } = await runRcpt(['bulk', folder.in('list.csv'), '--finish'], env());
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/ {2}unknown 1\n {4}greylisted 1\n/);
    expect(await folder.rows('list.verified.csv')).toMatchObject([
      { reason: 'greylisted' },
      { reason: 'accepted_email' },
      { reason: 'invalid_syntax' },
    ]);
    expect((await jobs()).length).toBe(before + 1);
  });
});
