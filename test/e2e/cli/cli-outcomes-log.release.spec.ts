import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { appendFile, copyFile, rename, rm, stat, truncate, utimes } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { bounced, DEFERRED, logLine, sent } from '../../support/outcomes/postfix-log.js';
import { Recipe } from '../../support/clients/recipe.js';
import { ListFolder } from '../../support/processes/list-folder.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const EX_USAGE = 64;
const EX_DATAERR = 65;
const EX_TEMPFAIL = 75;
const NOW = '2026-11-20T12:00:00Z';

describe('rcpt outcomes import --postfix-log', () => {
  let folder: ListFolder;
  let app: TestApp;
  let account: NewAccount;
  beforeAll(async () => {
    app = await anApp();
    app.clock.standAt(NOW);
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    account = await app.anAccount();
    folder = await ListFolder.make();
  });
  afterEach(async () => {
    await RcptProcess.endAll();
    await folder.remove();
  });

  const env = () => ({ RCPT_URL: app.url, RCPT_API_KEY: account.liveKey });
  const rcpt = (...args: string[]) => runRcpt(['outcomes', 'import', '--postfix-log', ...args], env());
  const sums = async (...args: string[]) => {
    const { code, out, err } = await rcpt(...args, '--json');
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as Record<string, unknown>;
  };
  const of = async (name: string) =>
    ((await app.get(`/v1/outcomes?email=${name}@example.com`, account.liveKey)).body as { data: object[] })
      .data;
  const log = () => folder.in('mail.log');
  const state = () => folder.in('state');

  it('sends deliveries and bounces with their times, and counts what it skips', async () => {
    await folder.write('mail.log', sent('a') + bounced('b') + DEFERRED + 'another line\n');
    const { code, out, err } = await rcpt(log());
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(
      [
        '4 lines: 1 delivered, 1 bounced',
        '  1 skipped, deferred: not final: Postfix tries again, or gave up after temporary failures',
        '  1 skipped, other: about no delivery',
        '2 received: 2 stored, 0 stored before, 0 ignored',
        '',
      ].join('\n'),
    );
    const at = '2026-11-20T10:00:00.000Z';
    expect(await of('a')).toMatchObject([{ kind: 'delivered', at }]);
    expect(await of('b')).toMatchObject([{ kind: 'bounced', at, code: 550, enhanced_code: '5.1.1' }]);
    const verdict = await app.get('/v1/verify?email=b@example.com', account.liveKey);
    expect(verdict.body).toMatchObject({ status: 'undeliverable', reason: 'bounced' });
  });

  it('counts nothing twice, also in another form of the log', async () => {
    await folder.write('mail.log', sent('a') + bounced('b'));
    expect(await sums(log())).toMatchObject({ received: 2, stored: 2, duplicates: 0 });
    expect(await sums(log())).toMatchObject({ received: 2, stored: 0, duplicates: 2 });
    const syslog = (sent('a') + bounced('b')).replaceAll('2026-11-20T10:00:00+00:00', 'Nov 19 10:00:00');
    await folder.write('mail.log', syslog);
    expect(await sums(log())).toMatchObject({ received: 2, stored: 0, duplicates: 2 });
  });

  it('sends a log of more lines than a request has', async () => {
    await folder.write('mail.log', Array.from({ length: 2_500 }, (_, n) => sent(`n${n}`)).join(''));
    expect(await sums(log())).toMatchObject({ lines: 2_500, delivered: 2_500, stored: 2_500 });
  });

  it('skips a line of 1 MB, and names an address that cannot be used by its place only', async () => {
    const hostile = logLine('4Xyhostile', `to=<${'h'.repeat(1_000_000)}@example.com>, relay=`);
    const bad = sent('x').replace('x@example.com', 'no\u001b[31maddress');
    await folder.write('mail.log', hostile + bad + sent('a'));
    const { code, out } = await rcpt(log());
    expect(code).toBe(0);
    expect(out).toContain('1 skipped, too_long');
    expect(out).toContain(`1 invalid_email: email is no address. (first: ${log()}, byte ${hostile.length})`);
    expect(out).not.toMatch(/31m|hhh|\u001b/);
    expect(await of('a')).toHaveLength(1);
  });

  it('exits with 65 if nothing can be used, as with lists', async () => {
    await folder.write('mail.log', sent('x').replace('x@example.com', 'nobody'));
    expect(await rcpt(log())).toMatchObject({ code: EX_DATAERR, err: '' });
  });

  it('goes on from its place in the next run, and reads the end of a renamed log', async () => {
    await folder.write('mail.log', `${sent('a')}${sent('b').slice(0, 40)}`);
    expect(await sums(log(), '--state', state())).toMatchObject({ lines: 2, stored: 1 });
    expect((await stat(state())).mode & 0o777).toBe(0o600);
    await appendFile(log(), sent('b').slice(40));
    expect(await sums(log(), '--state', state())).toMatchObject({ lines: 1, stored: 1 });
    expect(await sums(log(), '--state', state())).toMatchObject({ lines: 0, received: 0 });
    await appendFile(log(), sent('c'));
    await rename(log(), folder.in('mail.log.1'));
    await folder.write('mail.log', sent('d'));
    expect(await sums(log(), '--state', state())).toMatchObject({ lines: 2, stored: 2 });
    await truncate(log());
    await appendFile(log(), `${sent('e')}${sent('f')}`);
    const { code, out, err } = await rcpt(log(), '--state', state());
    expect([code, out, err]).toEqual([
      0,
      expect.stringContaining('2 stored, 0 stored before'),
      expect.stringMatching(/was rotated, and the file with the last place is not beside it/),
    ]);
    expect(await folder.names()).toEqual(['mail.log', 'mail.log.1', 'state']);
  });

  it('goes on through all files that were rotated since, and leaves out compressed ones', async () => {
    await folder.write('mail.log', sent('a'));
    await sums(log(), '--state', state());
    await appendFile(log(), sent('b'));
    await rename(log(), folder.in('mail.log.2'));
    await utimes(folder.in('mail.log.2'), 1_000, 1_000);
    await folder.write('mail.log.1', sent('c'));
    await utimes(folder.in('mail.log.1'), 2_000, 2_000);
    await folder.write('mail.log.3.gz', gzipSync(sent('x')));
    await folder.write('mail.err', sent('y'));
    await folder.write('mail.log', sent('d'));
    expect(await sums(log(), '--state', state())).toMatchObject({ lines: 3, stored: 3 });
    expect(await sums(log(), '--state', state())).toMatchObject({ lines: 0 });
  });

  it('reads the end of a log that was copied and truncated', async () => {
    await folder.write('mail.log', sent('a'));
    await sums(log(), '--state', state());
    await appendFile(log(), sent('b'));
    await copyFile(log(), folder.in('mail.log.1'));
    await truncate(log());
    await appendFile(log(), sent('c'));
    expect(await sums(log(), '--state', state())).toMatchObject({ lines: 2, stored: 2 });
  });

  it('is the command of the recipe', async () => {
    const unit =
      (await Recipe.read('postfix')).files.get('/etc/systemd/system/rcpt-postfix-log.service') ?? '';
    const [, command = ''] = /^ExecStart=\/usr\/local\/bin\/rcpt (.*)$/m.exec(unit) ?? [];
    const args = command
      .replace('/var/log/mail.log', log())
      .replace('/var/lib/rcpt-postfix-log/place', state());
    expect(args.split(' ')).toContain('--follow');
    await folder.write('mail.log', sent('a'));
    const once = args.split(' ').filter((word) => word !== '--follow');
    expect(await runRcpt(once, env())).toMatchObject({ code: 0, err: '' });
    expect(await of('a')).toHaveLength(1);
    expect(await folder.names()).toEqual(['mail.log', 'state']);
  });

  it('stores no place before the service has accepted the lines', async () => {
    await folder.write('mail.log', sent('a'));
    const result = await rcpt(log(), '--state', state(), '--url', 'http://127.0.0.1:2');
    expect(result).toMatchObject({ code: 70, err: expect.stringMatching(/no connection/) });
    expect(await folder.names()).toEqual(['mail.log']);
    expect(await sums(log(), '--state', state())).toMatchObject({ stored: 1 });
  });

  it('reads standard input, whose failures are temporary', async () => {
    const args = ['outcomes', 'import', '--postfix-log', '-'];
    const piped = (more: Record<string, string> = {}) =>
      runRcpt(args, { ...env(), ...more }, `${bounced('p')}${sent('q').trim()}`);
    expect(await piped()).toMatchObject({
      code: 0,
      out: expect.stringContaining('2 lines: 1 delivered, 1 bounced'),
    });
    expect(await piped({ RCPT_URL: 'http://127.0.0.1:2' })).toMatchObject({ code: EX_TEMPFAIL });
  });

  it.each<[string, () => string[], RegExp]>([
    ['a log that is not there', () => [folder.in('none')], /there is no file \S+none; name the log/],
    ['a folder', () => [folder.in('')], /is no file; name the log/],
    [
      'a compressed log',
      () => [folder.in('mail.log.2.gz')],
      /zcat \S+\.gz \| rcpt outcomes import --postfix-log -/,
    ],
    [
      'a state that is none',
      () => [log(), '--state', folder.in('other')],
      /holds no place in a log; name another/,
    ],
    ['a place in standard input', () => ['-', '--follow'], /standard input has no place/],
    ['two inputs', () => [log(), folder.in('b.csv')], /name one input/],
  ])('exits with 64 for %s', async (_, args, words) => {
    await folder.write('mail.log', sent('a'));
    await folder.write('other', '{"offset": -1}');
    await folder.write('mail.log.2.gz', gzipSync(sent('a')));
    const { code, out, err } = await rcpt(...args());
    expect([code, out, err]).toEqual([EX_USAGE, '', expect.stringMatching(words)]);
  });

  it.each([[[]], [['--follow', 'b.csv']], [['--state', 's', 'b.csv']]])(
    'exits with 64 for %j without a log',
    async (args) => {
      const { code, err } = await runRcpt(['outcomes', 'import', ...args], env());
      expect([code, err]).toEqual([EX_USAGE, expect.stringContaining('--postfix-log')]);
    },
  );

  it('ends by the signal that it got, and the next run goes on from the place', async () => {
    await folder.write('mail.log', sent('a'));
    const args = ['outcomes', 'import', '--postfix-log', log(), '--follow', '--state', state()];
    const cli = RcptProcess.run(['../bin/rcpt.js', ...args], env());
    while (!(await folder.names()).includes('state')) await pause(5);
    await cli.end('SIGTERM');
    expect(cli.child.signalCode).toBe('SIGTERM');
    expect(cli.stderr).toMatch(/^rcpt: interrupted; the same command goes on where this one ended/);
    await appendFile(log(), sent('b'));
    expect(await sums(log(), '--state', state())).toMatchObject({ lines: 1, stored: 1, duplicates: 0 });
    await rm(state());
  });
});
