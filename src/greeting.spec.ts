import { describe, expect, it } from '@jest/globals';
import { greeting } from './greeting.js';

const URL = 'http://localhost:3000';
const KEYS = { liveKey: 'rcpt_live_a', testKey: 'rcpt_test_b' };
const firstAccount = {
  ...KEYS,
  user: { id: 'usr_1', email: 'owner@localhost' },
  team: { id: 'team_1', name: 'My team', tier: 'unlimited' },
} as const;
const api = { url: URL, servesApi: true, isPaused: false };
const NOW = new Date('2026-11-21T12:00:00Z');

describe('the output when the service is ready', () => {
  it('is one JSON line in a log of JSON, with the first keys only at the first start', () => {
    const first = greeting({ ...api, logFormat: 'json', firstAccount }, NOW);
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
    const later = JSON.parse(greeting({ ...api, logFormat: 'json', firstAccount: null }, NOW)) as object;
    expect(Object.keys(later)).toEqual(['event', 'time', 'message', 'url', 'docs', 'console']);
  });

  it('says how to make a key while none has been used', () => {
    const unused = { ...api, isUnused: true, firstAccount: null };
    const hint = expect.stringMatching(
      /^No key has been used yet\..* keys create --team ID --name NAME` makes/,
    );
    expect(greeting({ ...unused, logFormat: 'text' }, NOW).split('\n')).toEqual([
      expect.stringContaining('ready'),
      hint,
      '',
    ]);
    expect(JSON.parse(greeting({ ...unused, logFormat: 'json' }, NOW))).toMatchObject({ hint });
  });

  it('says that the service is paused, and how to end this', () => {
    const paused = { ...api, isPaused: true, firstAccount: null };
    expect(greeting({ ...paused, logFormat: 'text' }, NOW)).toMatch(
      /^.*\nIt is paused\. To end this, run `.* resume`\.\n$/,
    );
    expect(JSON.parse(greeting({ ...paused, logFormat: 'json' }, NOW))).toMatchObject({ paused: true });
  });

  it('is text in a log for a person', () => {
    const words = greeting({ ...api, logFormat: 'text', firstAccount }, NOW);
    expect(words).toMatch(/^Rcpt is ready on http:\/\/localhost:3000 /);
    expect(words).toContain('  live key   rcpt_live_a\n  test key   rcpt_test_b\n');
    expect(words).toContain('\n  http://localhost:3000/console#key=rcpt_live_a\n');
    expect(words.match(/^ {2}curl .*$/gm)).toHaveLength(3);
  });

  it('names neither the console nor the documentation of a worker, which serves neither', () => {
    const worker = { url: URL, servesApi: false, isPaused: false, firstAccount: null };
    expect(JSON.parse(greeting({ ...worker, logFormat: 'json' }, NOW))).toEqual({
      event: 'ready',
      time: '2026-11-21T12:00:00.000Z',
      message: `Rcpt is ready on ${URL} (a worker: ${URL}/readyz, no API)`,
      url: URL,
    });
    expect(greeting({ ...worker, logFormat: 'text' }, NOW)).toBe(
      `Rcpt is ready on ${URL} (a worker: ${URL}/readyz, no API)\n`,
    );
  });
});
