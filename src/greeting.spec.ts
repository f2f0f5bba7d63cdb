import { describe, expect, it } from '@jest/globals';
import { greeting } from './greeting.js';

const URL = 'http://localhost:3000';
const KEYS = { liveKey: 'rcpt_live_a', testKey: 'rcpt_test_b' };
const firstAccount = {
  ...KEYS,
  user: { id: 'usr_1', email: 'owner@localhost' },
  team: { id: 'team_1', name: 'My team', tier: 'unlimited' },
} as const;
const api = { url: URL, servesApi: true };
const NOW = new Date('2026-11-21T12:00:00Z');

describe('the output when the service is ready', () => {
  it('is one JSON line without a terminal, with the first keys only at the first start', () => {
    const first = greeting({ ...api, firstAccount }, false, NOW);
    expect(first.trimEnd()).not.toContain('\n');
    expect(JSON.parse(first)).toEqual({
      event: 'ready',
      time: '2026-11-21T12:00:00.000Z',
      message: `Rcpt is ready on ${URL} (console: ${URL}/console, documentation: ${URL}/docs)`,
      url: URL,
      docs: `${URL}/docs`,
      console: `${URL}/console#key=rcpt_live_a`,
      first_keys: { live: 'rcpt_live_a', test: 'rcpt_test_b' },
      try: [
        `curl -H 'Authorization: Bearer rcpt_test_b' '${URL}/v1/verify?email=jane@example.com'`,
        `curl -H 'Authorization: Bearer rcpt_test_b' '${URL}/v1/verify?email=mailbox_not_found@example.com'`,
        `curl -H 'Authorization: Bearer rcpt_live_a' '${URL}/v1/verify?email=someone@gmail.com'`,
      ],
    });
    const later = JSON.parse(greeting({ ...api, firstAccount: null }, false, NOW)) as object;
    expect(Object.keys(later)).toEqual(['event', 'time', 'message', 'url', 'docs', 'console']);
  });

  it('is text on a terminal', () => {
    const words = greeting({ ...api, firstAccount }, true, NOW);
    expect(words).toMatch(/^Rcpt is ready on http:\/\/localhost:3000 /);
    expect(words).toContain('  live key   rcpt_live_a\n  test key   rcpt_test_b\n');
    expect(words).toContain('\n  http://localhost:3000/console#key=rcpt_live_a\n');
    expect(words.match(/^ {2}curl .*$/gm)).toHaveLength(3);
  });

  it('names neither the console nor the documentation of a worker, which serves neither', () => {
    const worker = { url: URL, servesApi: false, firstAccount: null };
    expect(JSON.parse(greeting(worker, false, NOW))).toEqual({
      event: 'ready',
      time: '2026-11-21T12:00:00.000Z',
      message: `Rcpt is ready on ${URL} (a worker: ${URL}/readyz, no API)`,
      url: URL,
    });
    expect(greeting(worker, true, NOW)).toBe(`Rcpt is ready on ${URL} (a worker: ${URL}/readyz, no API)\n`);
  });
});
