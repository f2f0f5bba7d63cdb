import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { packagedLists } from '../../../src/engine/lists/adapters/packaged-lists.js';
import type { ListChange } from '../../../src/modules/verification/mail-servers/domain-lists.service.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { runRcpt, type CommandResult } from '../../support/processes/run-rcpt.js';

const EX_USAGE = 64;

let directory: string;
let app: TestApp;
let account: NewAccount;
let publisher: Server;
/** Few domains, because an update looks at each of both lists. */
let published = ['mailinator.com', 'yopmail.com', ...packaged().slice(0, 100)].join('\n');

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rcpt-lists-'));
  app = await anApp({ DATA_DIR: directory });
  account = await app.anAccount();
  publisher = createServer((request, response) => {
    // A connection that was idle for as long as the server keeps one could end under the next request.
    response.setHeader('Connection', 'close');
    response.statusCode = request.url === '/list.txt' ? 200 : 404;
    response.end(published);
  }).listen(0, '127.0.0.1');
  await once(publisher, 'listening');
});
afterAll(async () => {
  publisher.close();
  await app.stop();
  await rm(directory, { recursive: true, force: true });
});

const update = (...args: string[]): Promise<CommandResult> =>
  runRcpt(['disposable', 'update', ...args], { DATA_DIR: directory });

async function verdictOf(email: string): Promise<VerdictResponse> {
  return (await app.get(`/v1/verify?email=${email}`, account.liveKey)).body as VerdictResponse;
}

function packaged(): string[] {
  return [...new Set(packagedLists().flatMap(({ domains }) => [...domains]))];
}

const url = (path: string) => `http://127.0.0.1:${(publisher.address() as AddressInfo).port}${path}`;

describe('rcpt disposable update', () => {
  it('refuses invalid lists, and lists that shrink by more than a tenth, and changes nothing', async () => {
    const short = join(directory, 'short.txt');
    await writeFile(short, packaged().slice(0, 1_000).join('\n'));
    expect(await update()).toMatchObject({
      code: EX_USAGE,
      err: expect.stringContaining('name the files or URLs'),
    });
    expect(await update(url('/none'))).toMatchObject({
      code: EX_USAGE,
      err: expect.stringMatching(/responds with 404/),
    });
    expect(await update(short)).toMatchObject({ code: EX_USAGE, err: expect.stringMatching(/--force/) });
    expect((await verdictOf('jane@mailinator.com')).list_match?.source).toMatch(
      /^mailchecker [\d.]+ \(MIT\)/,
    );
  });

  it('takes a list that is much shorter with --force', async () => {
    expect(await update(url('/list.txt'), '--force')).toMatchObject({ code: 0, err: '' });
  });

  it('reads a newer list from a URL, shows the difference, and a running service uses it within seconds', async () => {
    published = [
      '# newer',
      ...published.split('\n').filter((domain) => domain !== 'mailinator.com'),
      'fresh.example',
      'co.uk',
      'gmail.com',
    ].join('\n');
    const { code, out, err } = await update(url('/list.txt'), '--licence', 'CC0-1.0', '--json');
    expect([code, err]).toEqual([0, '']);
    const change = JSON.parse(out) as ListChange;
    expect(change).toMatchObject({ added: ['fresh.example'], removed: ['mailinator.com'] });
    expect(change.ignored).toEqual(expect.arrayContaining(['co.uk', 'gmail.com']));
    app.clock.advance(2_500);
    const source = `${url('/list.txt')} (CC0-1.0, read `;
    expect((await verdictOf('test@yopmail.com')).list_match?.source).toContain(source);
    expect((await verdictOf('jane@mailinator.com')).checks.disposable).toBe(false);
  });

  it('reads the previous sources again without arguments, with text output', async () => {
    published += '\nfresher.example';
    const { code, out, err } = await update();
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/1 added, 0 removed\n\+ fresher\.example\n/);
  });
});
