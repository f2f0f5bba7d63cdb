import { describe, expect, it, jest } from '@jest/globals';
import { CommandLog } from './command-log.js';

const printedBy = (write: (log: CommandLog) => void): string => {
  let text = '';
  const spy = jest.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  write(new CommandLog());
  spy.mockRestore();
  return text;
};

describe('the log of a command', () => {
  it('prints an error as a sentence, once', () => {
    const error = (log: CommandLog, server: string) => log.error({ server }, 'a name server lies');
    expect(
      printedBy((log) => {
        for (const server of ['192.0.2.1:53', '192.0.2.1:53', '192.0.2.2:53']) error(log, server);
      }),
    ).toBe(
      'rcpt: a name server lies (server: 192.0.2.1:53)\nrcpt: a name server lies (server: 192.0.2.2:53)\n',
    );
  });

  it('prints the name and the first frame of an error of this program', () => {
    const err = { name: 'TypeError', frames: ['at check (engine.js:1:2)', 'at run (cli.js:3:4)'] };
    expect(printedBy((log) => log.error({ err }, 'the engine failed'))).toBe(
      'rcpt: the engine failed (err: TypeError at check (engine.js:1:2))\n',
    );
  });

  it('prints nothing else', () => {
    expect(printedBy((log) => [log.debug, log.info, log.warn].forEach((write) => write()))).toBe('');
  });
});
