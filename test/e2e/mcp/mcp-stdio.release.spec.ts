import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { setTimeout as pause } from 'node:timers/promises';
import { anApp, type TestApp } from '../../support/app/app.js';
import { workOn } from '../../support/app/bulk.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { calling, mcpOverStdio, refusalOf } from '../../support/mcp/mcp-client.js';
import { ListFolder } from '../../support/processes/list-folder.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

interface Job {
  id: string;
  status: string;
  processed: number;
}
interface Page {
  data: { index: number; email: string; status: string; ref: unknown }[];
  has_more: boolean;
  next_cursor: string | null;
}

let folder: ListFolder;
beforeEach(async () => {
  folder = await ListFolder.make();
});
afterEach(() => folder.remove());

describe('rcpt mcp, with a service', () => {
  let app: TestApp;
  let client: Client;
  let stderr: () => string;
  beforeAll(async () => {
    app = await anApp();
    const { testKey } = await app.anAccount();
    const env = { RCPT_URL: app.url, RCPT_API_KEY: testKey };
    ({ client, stderr } = await mcpOverStdio(env, import.meta.dirname));
  });
  afterAll(async () => {
    await client.close();
    await app.stop();
    expect(stderr()).toBe('');
  });

  it('has the tools of the service', async () => {
    expect(await calling(client, 'verify_email', { email: 'null_mx@example.com' })).toMatchObject({
      ...{ email: 'null_mx@example.com', status: 'undeliverable', reason: 'null_mx' },
    });
    expect(await calling(client, 'explain_reply', { text: '421 4.7.0 try later' })).toHaveProperty('rule');
    expect(await calling(client, 'get_usage')).toMatchObject({ tier: 'unlimited' });
  });

  it('verifies a list of 2,000 from a file to a file', async () => {
    const emails = Array.from({ length: 2_000 }, (_, index) => `a${index}+tag@example.com`);
    await folder.writeList(emails);
    const { id } = await calling<Job>(client, 'verify_list', {
      ...{ file: folder.in('list.csv'), name: 'Guests + friends', confirm: true },
    });
    await workOn(app);
    const done = await calling<Job>(client, 'get_list', { id });
    expect(done).toMatchObject({ status: 'completed', processed: 2_000, name: 'Guests + friends' });
    for (const output of [folder.in('out.csv'), folder.in('out.ndjson')])
      expect(await calling(client, 'get_list_results', { id, output })).toEqual({ file: output });
    const [header, first] = (await folder.text('out.csv')).split('\n');
    expect([header, first]).toEqual([
      expect.stringMatching(/^id,email,status,reason,score,/),
      expect.stringMatching(/^0,a0\+tag@example\.com,deliverable,/),
    ]);
    const lines = (await folder.text('out.ndjson')).trimEnd().split('\n');
    expect([lines.length, JSON.parse(lines[1_999] ?? '')]).toMatchObject([2_000, { email: emails[1_999] }]);
  });

  it('returns the problems of the service', async () => {
    expect(await refusalOf(client, 'get_list', { id: 'job_0' })).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(client, 'verify_email', { email: 'rate_limited@example.com' })).toMatchObject({
      ...{ code: 'rate_limited', status: 429, retry_after: expect.any(Number) },
    });
  });

  it('reads only what is named like a list, and replaces no file', async () => {
    const { id } = await calling<Job>(client, 'verify_list', { emails: ['a@example.com'] });
    await workOn(app);
    await folder.write('kept.csv', 'mine');
    for (const [name, args, sentence] of [
      ['verify_list', { file: '/etc/hostname' }, 'file must be a .csv, .tsv, .tab, .txt'],
      ['verify_list', { file: folder.in('none.csv') }, 'there is no file or folder'],
      ['get_list_results', { id, output: folder.in('kept.csv') }, 'kept.csv exists'],
      ['get_list_results', { id, output: folder.in('out.sh') }, 'output must be a .csv or an .ndjson'],
      ['get_list_results', { id, output: folder.in('none/out.csv') }, 'there is no file or folder'],
    ] as const)
      expect(await refusalOf(client, name, args)).toMatchObject({
        detail: expect.stringContaining(sentence),
      });
    expect(await folder.text('kept.csv')).toBe('mine');
  });

  it('says what to do where the service does not answer', async () => {
    const env = { RCPT_URL: 'http://127.0.0.1:9', RCPT_API_KEY: 'rcpt_test_x' };
    const other = await mcpOverStdio(env, import.meta.dirname);
    const { code, detail } = await refusalOf(other.client, 'get_usage');
    expect([code, detail]).toEqual(['unavailable', expect.stringContaining('Check --url or RCPT_URL')]);
    await other.client.close();
  });

  it('does not start without a key of the service', async () => {
    const { code, err } = await runRcpt(['mcp'], { RCPT_URL: app.url });
    expect([code, err]).toEqual([64, 'rcpt: set RCPT_API_KEY to a key of that service\n']);
  });
});

describe('rcpt mcp, without a service', () => {
  let world: MailWorld;
  let client: Client;
  beforeAll(async () => {
    world = await MailWorld.start();
    ({ client } = await mcpOverStdio(world.env, import.meta.dirname));
  });
  afterAll(async () => {
    await client.close();
    await world.stop();
  });

  const ended = async (id: string): Promise<Job> => {
    for (;;) {
      const job = await calling<Job>(client, 'get_list', { id });
      if (job.status !== 'running') return job;
      await pause(20);
    }
  };

  it('verifies with the engine in its process, and has no quota', async () => {
    const { data } = await calling<Page>(client, 'verify_email', {
      emails: ['jane@plain.mailworld', 'nobody@plain.mailworld'],
    });
    expect(data).toMatchObject([{ reason: 'accepted_email' }, { reason: 'mailbox_not_found' }]);
    const one = await calling(client, 'verify_email', { email: 'jane@plain.mailworld' });
    expect(one).toMatchObject({ reason: 'accepted_email', smtp: { code: 250 } });
    expect(await calling(client, 'explain_reply', { text: '550 5.1.1 User unknown' })).toMatchObject({
      category: 'mailbox_not_found',
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('get_usage');
  });

  it('verifies a file in the background, with results by page and as files', async () => {
    await folder.write(
      'list.csv',
      'name;email\nJane;jane@plain.mailworld\nNobody;nobody@plain.mailworld\nX;x\n',
    );
    const { id, status } = await calling<Job>(client, 'verify_list', { file: folder.in('list.csv') });
    expect(status).toBe('running');
    expect(await ended(id)).toMatchObject({
      ...{ status: 'completed', total: 3, processed: 3 },
      by_status: { deliverable: 1, undeliverable: 2 },
    });
    const first = await calling<Page>(client, 'get_list_results', { id, limit: 2 });
    expect([first.data.length, first.data[0]?.ref, first.has_more]).toEqual([2, { name: 'Jane' }, true]);
    const rest = await calling<Page>(client, 'get_list_results', { id, cursor: first.next_cursor });
    expect([rest.data.map(({ email }) => email), rest.has_more]).toEqual([['x'], false]);
    const output = folder.in('bad.csv');
    await calling(client, 'get_list_results', { id, status: 'undeliverable', output });
    const [, ...lines] = (await folder.text('bad.csv')).trimEnd().split('\n');
    expect(lines.map((line) => line.split(';').slice(0, 3))).toEqual([
      ['Nobody', 'nobody@plain.mailworld', 'undeliverable'],
      ['X', 'x', 'undeliverable'],
    ]);
  });

  it('verifies addresses that are sent, one list at a time', async () => {
    const emails = ['jane@plain.mailworld', 'a "quoted",\nline'];
    const [job, refused] = await Promise.all([
      calling<Job>(client, 'verify_list', { emails }),
      refusalOf(client, 'verify_list', { emails }),
    ]);
    expect(refused.detail).toContain('another list is being verified');
    expect(await refusalOf(client, 'get_list', { id: 'job_0' })).toMatchObject({ code: 'not_found' });
    await ended(job.id);
    const { data } = await calling<Page>(client, 'get_list_results', { id: job.id });
    expect(data.map(({ email }) => email)).toEqual(emails);
  });

  it('names another way for a list that is too long', async () => {
    await folder.writeList(Array.from({ length: 10_001 }, (_, index) => `a${index}@plain.mailworld`));
    const { detail } = await refusalOf(client, 'verify_list', { file: folder.in('list.csv') });
    expect(detail).toContain('run rcpt bulk');
  });
});
