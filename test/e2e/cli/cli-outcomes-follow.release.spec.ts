import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { appendFile, rename, truncate } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { importPostfixLog } from '../../../src/commands/outcomes/postfix-log/import-log.js';
import { POLL_MS } from '../../../src/commands/outcomes/postfix-log/log-reader.js';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { bounced, sent } from '../../support/outcomes/postfix-log.js';
import { ListFolder } from '../../support/processes/list-folder.js';
import { FakeClock } from '../../support/time/fake-clock.js';

const NOW = new Date('2026-11-20T12:00:00Z');

describe('rcpt outcomes import --postfix-log --follow', () => {
  let folder: ListFolder;
  let app: TestApp;
  let account: NewAccount;
  beforeAll(async () => {
    app = await anApp();
    app.clock.standAt(NOW.toISOString());
  });
  afterAll(() => app.stop());

  const of = async (name: string) =>
    ((await app.get(`/v1/outcomes?email=${name}@example.com`, account.liveKey)).body as { data: object[] })
      .data;
  const log = () => folder.in('mail.log');

  let clock: FakeClock;
  let end: AbortController;
  let command: Promise<void>;
  let printed: jest.SpiedFunction<typeof process.stdout.write>;
  beforeEach(async () => {
    account = await app.anAccount();
    folder = await ListFolder.make();
    clock = new FakeClock(NOW);
    end = new AbortController();
    printed = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    process.env.RCPT_API_KEY = account.liveKey;
  });
  afterEach(async () => {
    end.abort();
    await command;
    printed.mockRestore();
    delete process.env.RCPT_API_KEY;
    await folder.remove();
  });

  /** Until the command waits for further lines. */
  const settled = async () => {
    let failure: unknown = null;
    command.catch((error: unknown) => (failure = error));
    while (clock.pausing === 0 && failure === null) await turn();
    if (failure !== null) throw failure as Error;
  };
  const start = async () => {
    const options = { url: app.url, state: folder.in('state'), follow: true } as const;
    command = importPostfixLog(log(), options, { clock, signal: end.signal });
    await settled();
  };
  const poll = async (times = 1) => {
    for (let n = 0; n < times; n++) {
      await clock.advance(POLL_MS);
      await settled();
    }
  };
  const stop = async () => {
    end.abort();
    await command;
    end = new AbortController();
  };

  it('sends lines when they are complete', async () => {
    await folder.write('mail.log', sent('a'));
    await start();
    expect(await of('a')).toHaveLength(1);
    await appendFile(log(), bounced('b').slice(0, -30));
    await poll();
    expect(await of('b')).toEqual([]);
    await appendFile(log(), bounced('b').slice(-30));
    await poll();
    expect(await of('b')).toMatchObject([{ kind: 'bounced', code: 550 }]);
  });

  it('waits for a log that is not there yet', async () => {
    await start();
    await folder.write('mail.log', sent('a'));
    await poll();
    expect(await of('a')).toHaveLength(1);
  });

  it('reads a renamed log to its end, then the new one', async () => {
    await folder.write('mail.log', sent('a'));
    await start();
    await rename(log(), folder.in('mail.log.1'));
    await appendFile(folder.in('mail.log.1'), sent('b'));
    await poll();
    expect(await of('b')).toHaveLength(1);
    await folder.write('mail.log', sent('c'));
    await clock.advance(POLL_MS);
    await settled();
    await appendFile(folder.in('mail.log.1'), sent('late'));
    await poll(2);
    expect([await of('late'), await of('c')]).toEqual([[expect.anything()], [expect.anything()]]);
    await appendFile(log(), sent('d'));
    await poll();
    expect(await of('d')).toHaveLength(1);
  });

  it('reads a log that was truncated from its beginning, also if it is longer again', async () => {
    await folder.write('mail.log', sent('a'));
    await start();
    await truncate(log());
    await poll();
    await appendFile(log(), sent('b'));
    await poll();
    expect(await of('b')).toHaveLength(1);
    await folder.write('mail.log', sent('c') + sent('d') + sent('e'));
    await poll();
    expect([await of('c'), await of('d'), await of('e')].map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  it('goes on from its place after a restart, also if the log was rotated meanwhile', async () => {
    await folder.write('mail.log', sent('a'));
    await start();
    await stop();
    await appendFile(log(), sent('b'));
    await rename(log(), folder.in('mail.log.1'));
    await folder.write('mail.log', sent('c'));
    printed.mockClear();
    await start();
    expect([await of('a'), await of('b'), await of('c')].map(({ length }) => length)).toEqual([1, 1, 1]);
    await stop();
    expect(printed.mock.calls.join('')).toContain('2 received: 2 stored, 0 stored before');
  });
});
