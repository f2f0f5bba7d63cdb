import { describe, expect, it } from '@jest/globals';
import { createLog } from './pino-log.js';
import { textLine } from './log-text.js';
import type { Log } from './log.js';

/** Its time is the clock of the machine, which the tests leave out. */
const lineOf = (write: (log: Log) => void): string => {
  const lines: string[] = [];
  write(createLog('debug', { write: (line) => lines.push(textLine(line)) }));
  expect(lines).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d [^\n]+\n$/)]);
  return lines.join('').slice('00:00:00 '.length, -1);
};

describe('a line of the log for a person', () => {
  it.each([
    ['info', 'resumed'],
    ['debug', 'debug: resumed'],
    ['warn', 'warning: resumed'],
    ['error', 'error: resumed'],
  ] as const)('says with the level %s: %s', (level, line) => {
    expect(lineOf((log) => log[level]({}, 'resumed'))).toBe(line);
  });

  it('begins with the local time', () => {
    const time = new Date(2026, 10, 29, 7, 5, 3).toISOString();
    expect(textLine(JSON.stringify({ level: 'info', time, msg: 'resumed' }))).toBe('07:05:03 resumed\n');
  });

  it('says what was requested, what came of it, and how long it took', () => {
    const request = { method: 'GET', route: '/v1/verify', status: 200, duration_ms: 10.5, team_id: 'team_1' };
    expect(lineOf((log) => log.info({ request_id: 'r1', ...request }, 'request'))).toBe(
      'GET /v1/verify: 200 in 10.5 ms (request_id: r1, team_id: team_1)',
    );
    expect(lineOf((log) => log.info({ ...request, route: null, status: 404 }, 'request'))).toBe(
      'GET an unknown path: 404 in 10.5 ms (team_id: team_1)',
    );
  });

  it('has the details after the sentence: errors by name and first frame, lists as JSON, nothing that is null', () => {
    const err = { name: 'TypeError', frames: ['at a (b.js:1:2)', 'at c (d.js:3:4)'] };
    const fields = { queue: 'bulk', err, blockers: [{ pid: 7 }], cause: null };
    expect(lineOf((log) => log.error(fields, 'job failed'))).toBe(
      'error: job failed (queue: bulk, err: TypeError at a (b.js:1:2), blockers: [{"pid":7}])',
    );
  });

  it('says the code of an error, and what the code means', () => {
    const frames = ['at a (b.js:1:2)'];
    const shutdown = { name: 'error', code: '57P01', condition: 'admin shutdown', frames };
    expect(lineOf((log) => log.warn({ err: shutdown }, 'failed'))).toBe(
      'warning: failed (err: error 57P01 (admin shutdown) at a (b.js:1:2))',
    );
    expect(lineOf((log) => log.warn({ err: { name: 'Error', code: 'ERR_X', frames } }, 'failed'))).toBe(
      'warning: failed (err: Error ERR_X at a (b.js:1:2))',
    );
  });

  it('is one line without control characters, whatever a stranger sent', () => {
    const said = '550 no\r\n00:00:00 error: forged\u001b[2J\u202e';
    expect(lineOf((log) => log.warn({ said }, 'refused'))).toBe(
      'warning: refused (said: 550 no 00:00:00 error: forged [2J)',
    );
  });

  it('has no secret and no address that JSON has not', () => {
    const body = { email: 'jane@example.com', token: 'rcpt_invite_x', key: 'rcpt_live_x' };
    const line = lineOf((log) => log.warn({ body }, 'refused'));
    expect(line).toContain('"email":"[redacted]","token":"[redacted]","key":"[redacted]"');
    expect(line).not.toMatch(/jane|rcpt_/);
  });
});
