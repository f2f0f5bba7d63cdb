import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InstalledEngine } from '../../support/clients/installed-engine.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { SocksServer } from '../../support/smtp/socks-server.js';

const EXAMPLES = ['abort.mjs', 'csv.mjs', 'egress.mjs', 'express.mjs', 'resolver.mjs'];
/** Packages of the reader. */
const PACKAGES = ['csv-parse', 'express'];

const installed = await InstalledEngine.install();
let world: MailWorld;
beforeAll(async () => {
  world = await MailWorld.start();
});
afterAll(async () => {
  await world.stop();
  await installed.remove();
});

interface Changes {
  /** Options of the engine, besides those of the example. */
  options?: object;
  /** Texts of the example that name something of its reader, and what they are here. */
  texts?: Record<string, string>;
}

/** An example as a program of the project, with the mail world instead of the network. */
async function exampleHere(name: string, { options = {}, texts = {} }: Changes = {}): Promise<string> {
  const { dns, smtp } = world;
  const here = { dnsServers: [dns.server], smtpPort: smtp.port, mxAllowCidrs: ['127.0.0.0/8'], ...options };
  const code = Object.entries(texts).reduce(
    (text, [from, to]) => text.replace(from, to),
    await installed.read(`examples/${name}`),
  );
  const added = code
    .replace('createEngine()', `createEngine(${JSON.stringify(here)})`)
    .replace('createEngine({ ', `createEngine({ ...${JSON.stringify(here)}, `);
  expect(added).not.toBe(code);
  return installed.program(name, added);
}

describe('the examples of @rcpt/engine', () => {
  it('are these, of five lines each', async () => {
    expect((await readdir(join(installed.folder, 'examples'))).sort()).toEqual(EXAMPLES);
    for (const name of EXAMPLES)
      expect([name, (await installed.read(`examples/${name}`)).trimEnd().split('\n').length]).toEqual([
        name,
        5,
      ]);
    for (const name of PACKAGES) await installed.link(name);
  });

  it('a sign-up with Express refuses an address that cannot receive mail', async () => {
    const ready = 'listen(0, function () { console.log(`port ${this.address().port}.`); })';
    const program = installed.run([await exampleHere('express.mjs', { texts: { 'listen(3000)': ready } })]);
    await program.said('.\n');
    const [, port = ''] = /port (\d+)/.exec(program.output) ?? [];
    const signUp = async (body: string) => {
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch(`http://127.0.0.1:${port}/sign-up`, { method: 'POST', headers, body })).status;
    };
    expect(await signUp('{"email":"jane@plain.mailworld"}')).toBe(201);
    expect(await signUp('{"email":"ghost@plain.mailworld"}')).toBe(422);
    expect(await signUp('{}')).toBe(422);
    await program.kill();
  });

  it('a script verifies the column of a CSV', async () => {
    const rows = ['name,email', '"Doe, Jane",jane@plain.mailworld', 'G,ghost@plain.mailworld', 'N,none'];
    const list = await installed.program('list.csv', `${rows.join('\n')}\n`);
    const lines = await installed.run([await exampleHere('csv.mjs'), list]).lines();
    expect(lines.sort()).toEqual([
      'ghost@plain.mailworld,undeliverable',
      'jane@plain.mailworld,deliverable',
      'none,undeliverable',
    ]);
  });

  it('name servers of the reader are asked, and no others', async () => {
    const texts = { "['192.0.2.53', '[2001:db8::53]:5353']": JSON.stringify([world.dns.server]) };
    const file = await exampleHere('resolver.mjs', { options: { dnsServers: undefined }, texts });
    expect(await installed.run([file, 'jane@plain.mailworld']).lines()).toEqual([
      'deliverable mx1.plain.mailworld',
    ]);
  });

  it('mail servers are reached through an egress of the reader', async () => {
    const account = { username: 'user', password: 'password' };
    const proxy = await SocksServer.start({ account });
    const texts = { '192.0.2.7:1080': `${proxy.host}:${proxy.port}` };
    const file = await exampleHere('egress.mjs', { texts });
    const lines = await installed.run([file, 'jane@plain.mailworld']).lines();
    expect(lines).toEqual([expect.stringMatching(/^deliverable office /)]);
    expect(proxy.requests.map(({ port }) => port)).toContain(world.smtp.port);
    await proxy.stop();
  });

  it('a verification ends at the signal, with its sentence, and the program too', async () => {
    const file = await exampleHere('abort.mjs', { texts: { '2_000': '50' } });
    expect(await installed.run([file, 'jane@silent.mailworld']).result()).toEqual({
      code: 0,
      out: 'The operation was aborted due to timeout\n',
      err: '',
    });
  });
});
