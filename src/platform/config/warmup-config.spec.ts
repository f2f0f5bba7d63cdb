import { describe, expect, it } from '@jest/globals';
import { NO_WARMUP } from '../../kernel/warmup-plan.js';
import { readConfig } from './config.js';
import { parseWarmup } from './warmup-config.js';

const warmupOf = (env: Record<string, string>) => readConfig(env).smtp.warmup;

describe('EGRESS_WARMUP', () => {
  it('is off without SMTP_EGRESS, and has defaults with it', () => {
    expect(warmupOf({})).toEqual(NO_WARMUP);
    expect(warmupOf({ SMTP_PROXY_URL: 'socks5://proxy.example' })).toEqual(NO_WARMUP);
    expect(warmupOf({ SMTP_EGRESS: 'direct' })).toEqual({
      starts: new Map([
        ['google', 200],
        ['microsoft', 200],
        ['yahoo', 100],
        ['apple', 100],
      ]),
      growth: 1.5,
      maxRejections: 0.02,
      until: 100_000,
    });
  });

  it('can be set without SMTP_EGRESS, and switched off with it, for all or for one egress', () => {
    expect(warmupOf({ EGRESS_WARMUP: 'google:10' })).toMatchObject({ starts: new Map([['google', 10]]) });
    expect(warmupOf({ EGRESS_WARMUP: 'off', SMTP_EGRESS: 'direct' })).toEqual(NO_WARMUP);
    const { egresses } = readConfig({ SMTP_EGRESS: 'direct;warmup=off,bind:198.51.100.7' }).smtp;
    expect(egresses.map(({ isWarm }) => isWarm)).toEqual([true, false]);
  });

  it('sets the table, the factor, the share of refusals and the end', () => {
    expect(parseWarmup('google:50, yahoo_japan:5;growth=2;refusals=0.5%;until=5000')).toEqual({
      starts: new Map([
        ['google', 50],
        ['yahoo_japan', 5],
      ]),
      growth: 2,
      maxRejections: 0.005,
      until: 5_000,
    });
    expect(parseWarmup(';growth=2')).toMatchObject({ growth: 2, until: 100_000 });
  });

  it.each([
    'on',
    'google',
    'google:0',
    'google:-5',
    'google:1.5',
    'google:99999999',
    'google:5,google:6',
    Array.from({ length: 33 }, (_, n) => `p${n}:1`).join(),
  ])('%j is refused: providers with their probes', (text) => {
    expect(() => parseWarmup(text)).toThrow(/^must be off, or 1 to 32 providers .* such as google:200/);
  });

  it.each([
    'google:5;growth=0.5',
    'google:5;growth=9',
    'google:5;refusals=60',
    'google:5;x=1',
    ';toString=1',
  ])('%j is refused: growth, refusals and until', (text) => {
    expect(() => parseWarmup(text)).toThrow(/^must have after a semicolon only growth= /);
  });
});
