import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { ConfigError, readConfig } from './config.js';

const DATABASE_URL = 'postgresql://rcpt:pass-word@db.example:5432/rcpt';
const SECRET_KEY = randomBytes(32).toString('base64');

function refusalOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error(`taken: ${JSON.stringify(env)}`);
}

describe('variables that depend on others', () => {
  it('production requires DATABASE_URL', () => {
    const refusal = refusalOf({ NODE_ENV: 'production', SECRET_KEY });
    expect(refusal).toMatch(/^DATABASE_URL is not set.*NODE_ENV=production.*postgresql:\/\//);
  });

  it('a process with one role requires PUBLIC_URL, also with the embedded database', () => {
    const [api, worker] = [
      { api: true, worker: false },
      { api: false, worker: true },
    ];
    for (const roles of [api, worker]) {
      expect(() => readConfig({}, roles)).toThrow(ConfigError);
      expect(() => readConfig({}, roles)).toThrow(
        /^PUBLIC_URL is not set\..*--api or --worker.*links.*https:\/\//s,
      );
      const { publicUrl } = readConfig({ PUBLIC_URL: 'https://verify.example.org' }, roles);
      expect(publicUrl).toBe('https://verify.example.org');
    }
    expect(readConfig({}, { api: true, worker: true }).publicUrl).toBe('http://localhost:3000');
  });

  it('NODE_ENV and HOST have values that are known', () => {
    for (const NODE_ENV of ['prod', 'staging', 'Production'])
      expect(refusalOf({ NODE_ENV })).toBe('NODE_ENV must be production, development or test');
    for (const HOST of ['http://127.0.0.1', '[::1]', 'a b', '127.0.0.1:3000'])
      expect(refusalOf({ HOST })).toBe(
        'HOST must be an IP address of this machine, such as 127.0.0.1, or 0.0.0.0 for all',
      );
  });

  it('DATABASE_URL requires SECRET_KEY', () => {
    for (const NODE_ENV of ['production', 'development']) {
      const refusal = refusalOf({ NODE_ENV, DATABASE_URL });
      expect(refusal).toMatch(/^SECRET_KEY is not set.*DATABASE_URL.*openssl rand -base64 32/);
    }
  });
});

describe('METRICS_PORT', () => {
  it('must differ from PORT, and the error names both', () => {
    const equal: Record<string, string>[] = [
      { METRICS_PORT: '3000' },
      { PORT: '9090', METRICS_PORT: '9090' },
    ];
    for (const env of equal)
      expect(refusalOf(env)).toMatch(/METRICS_PORT and PORT are both \d+\. Set METRICS_PORT to another port/);
    expect(readConfig({ PORT: '0', METRICS_PORT: '0' })).toMatchObject({ port: 0, metricsPort: 0 });
  });
});
