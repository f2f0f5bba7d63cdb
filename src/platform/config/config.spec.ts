import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { getServers } from 'node:dns';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { EgressSettings } from '../net/egress.js';
import { VARIABLES } from '../../../test/support/app/environment.js';
import { NO_WARMUP } from '../../kernel/warmup-plan.js';
import { ConfigError, readConfig } from './config.js';

const DATABASE_URL = 'postgresql://rcpt:pass-word@db.example:5432/rcpt';
const SECRET_KEY = randomBytes(32).toString('base64');
const STORED = { DATABASE_URL, SECRET_KEY };

function refusalOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error(`taken: ${JSON.stringify(env)}`);
}

const problemOf = (env: Record<string, string>) => {
  try {
    readConfig(env);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

const withIdentity = (identity: Partial<EgressSettings>) =>
  expect.objectContaining({ egresses: [expect.objectContaining(identity)] });

describe('without any variable', () => {
  const config = readConfig({});

  it('listens on this machine only, with the embedded database', () => {
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      databaseUrl: null,
      secretKeys: null,
      redisUrl: null,
      tiersFile: null,
      providersFile: null,
      dataDir: resolve('data'),
      logLevel: 'info',
    });
  });

  it('uses the resolvers of the system, port 25 and the host name of the machine', () => {
    expect(config.dns).toEqual({ servers: getServers(), timeoutMs: 5000 });
    expect(config.smtp).toEqual({
      enabled: true,
      port: 25,
      connectTimeoutMs: 7000,
      commandTimeoutMs: 15_000,
      maxConnections: 4,
      allowCidrs: [],
      egresses: [
        {
          key: 'direct',
          name: 'direct',
          route: { kind: 'direct' },
          heloName: hostname(),
          mailFrom: `verify@${hostname()}`,
          isWarm: false,
        },
      ],
      egressIps: [],
      warmup: NO_WARMUP,
    });
  });

  it('is frozen', () => {
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
  });
});

describe('a variable', () => {
  it('that is empty or blank counts as not set', () => {
    const blank = {
      PORT: '',
      HOST: ' ',
      DATABASE_URL: '',
      SECRET_KEY: '',
      DNS_SERVERS: '',
      SMTP_ENABLED: '\t',
    };
    expect(readConfig({ ...blank, NODE_ENV: '' })).toEqual(readConfig({}));
  });

  it('that is not declared is ignored', () => {
    expect(readConfig({ PATH: '/bin', REDIS: 'x' })).toEqual(readConfig({}));
  });

  it.each([
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '8080' }, { port: 8080, publicUrl: 'http://localhost:8080' }],
    [{ PAUSED: 'true' }, { isPaused: true }],
    [{ SELF_CHECK_EVERY: '0' }, { selfCheckMs: 0 }],
    [{ SELF_CHECK_EVERY: '15' }, { selfCheckMs: 900_000 }],
    [
      { EGRESS_IPS: '203.0.113.25, direct=2001:db8::25' },
      { smtp: expect.objectContaining({ egressIps: ['203.0.113.25', 'direct=2001:db8::25'] }) },
    ],
    [{ HOST: '::' }, { host: '::' }],
    [STORED, { host: '0.0.0.0', databaseUrl: DATABASE_URL, secretKeys: [SECRET_KEY] }],
    [{ ...STORED, HOST: '127.0.0.1' }, { host: '127.0.0.1' }],
    [{ PUBLIC_URL: 'https://verify.example.org/rcpt//' }, { publicUrl: 'https://verify.example.org/rcpt' }],
    [{ SECRET_KEY: `${SECRET_KEY}, ${SECRET_KEY},` }, { secretKeys: [SECRET_KEY, SECRET_KEY] }],
    [{ DATA_DIR: '/var/lib/rcpt' }, { dataDir: '/var/lib/rcpt' }],
    [{}, { signup: { mode: 'closed', perHour: 10 }, defaultTier: 'free', trustProxy: 0 }],
    [{ SIGNUP: 'open', SIGNUP_PER_HOUR: '3' }, { signup: { mode: 'open', perHour: 3 } }],
    [
      { SIGNUP: 'confirm', INVITE_SMTP_URL: 'smtp://mail.example', INVITE_FROM: 'rcpt@example.org' },
      { signup: { mode: 'confirm', perHour: 10 } },
    ],
    [{ DEFAULT_TIER: 'starter' }, { defaultTier: 'starter' }],
    [{ TRUST_PROXY: '2' }, { trustProxy: 2 }],
    [{ TRUST_PROXY: '10.0.0.0/8, ::1,192.0.2.1' }, { trustProxy: ['10.0.0.0/8', '::1', '192.0.2.1'] }],
    [{ REDIS_URL: 'redis://cache.example:6379/2' }, { redisUrl: 'redis://cache.example:6379/2' }],
    [{ REDIS_URL: 'rediss://:pass@cache.example' }, { redisUrl: 'rediss://:pass@cache.example' }],
    [{ REDIS_URL: 'redis://u:a:b@my_cache' }, { redisUrl: 'redis://u:a:b@my_cache' }],
    [{ BULK_DEADLINE: '90m' }, { bulkDeadlineMs: 5_400_000 }],
    [{ METRICS_PORT: '9090' }, { metricsPort: 9090 }],
    [{ TIERS_FILE: './tiers.json' }, { tiersFile: resolve('tiers.json') }],
    [{ PROVIDERS_FILE: './providers.json' }, { providersFile: resolve('providers.json') }],
    [{ LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
    [{ LOG_FORMAT: 'text' }, { logFormat: 'text' }],
    [{ LOG_FORMAT: 'json' }, { logFormat: 'json' }],
    [
      { DNS_SERVERS: '192.0.2.53, 192.0.2.54:5353,2001:db8::53,[2001:db8::54],[2001:db8::55]:53' },
      {
        dns: {
          servers: ['192.0.2.53', '192.0.2.54:5353', '2001:db8::53', '[2001:db8::54]', '[2001:db8::55]:53'],
          timeoutMs: 5000,
        },
      },
    ],
    [{ SMTP_ENABLED: 'false' }, { smtp: expect.objectContaining({ enabled: false }) }],
    [{ SMTP_ENABLED: '0' }, { smtp: expect.objectContaining({ enabled: false }) }],
    [{ SMTP_ENABLED: '1' }, { smtp: expect.objectContaining({ enabled: true }) }],
    [
      { SMTP_HELO_NAME: 'verify.example.org' },
      {
        smtp: withIdentity({ heloName: 'verify.example.org', mailFrom: 'verify@verify.example.org' }),
      },
    ],
    [{ SMTP_HELO_NAME: '[192.0.2.1]' }, { smtp: withIdentity({ heloName: '[192.0.2.1]' }) }],
    [
      { SMTP_HELO_NAME: '[IPv6:2001:db8::7]' },
      {
        smtp: withIdentity({ heloName: '[IPv6:2001:db8::7]', mailFrom: 'verify@[IPv6:2001:db8::7]' }),
      },
    ],
    [{ SMTP_MAIL_FROM: 'probe@example.org' }, { smtp: withIdentity({ mailFrom: 'probe@example.org' }) }],
    [
      { MX_ALLOW_CIDRS: '10.0.0.0/8, fd00::/8' },
      { smtp: expect.objectContaining({ allowCidrs: ['10.0.0.0/8', 'fd00::/8'] }) },
    ],
    [{}, { webhooks: { allowHttp: false, allowCidrs: [] } }],
    [
      { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '10.1.0.0/16' },
      { webhooks: { allowHttp: true, allowCidrs: ['10.1.0.0/16'] } },
    ],
  ])('%j is read', (env, part) => {
    expect(readConfig(env)).toMatchObject(part);
  });

  it.each([
    ['PORT', 'http', 'must be a whole number'],
    ['PORT', '-1', 'must be a whole number'],
    ['PORT', '80.5', 'must be a whole number'],
    ['PORT', '0x50', 'must be a whole number'],
    ['PORT', '65536', 'must be between 0 and 65535'],
    ['PUBLIC_URL', 'verify.example.org', 'must be a URL such as https://'],
    ['PUBLIC_URL', 'ftp://example.org', 'must be a URL such as https://'],
    ['PUBLIC_URL', 'http:example.org', 'must be a URL such as https://'],
    ['PUBLIC_URL', 'javascript:alert(1)', 'must be a URL such as https://'],
    ['DATABASE_URL', 'mysql://db/rcpt', 'must be a URL such as postgresql://'],
    ['DATABASE_URL', 'db.example', 'must be a URL such as postgresql://'],
    ['SECRET_KEY', 'secret', 'openssl rand -base64 32'],
    ['SECRET_KEY', ',', 'openssl rand -base64 32'],
    ['SECRET_KEY', randomBytes(31).toString('base64'), '32 random bytes in base64'],
    ['SECRET_KEY', randomBytes(33).toString('base64'), '32 random bytes in base64'],
    ['SECRET_KEY', randomBytes(32).toString('hex'), '32 random bytes in base64'],
    ['SECRET_KEY', `${SECRET_KEY},short`, '32 random bytes in base64'],
    ['REDIS_URL', 'cache.example:6379', 'must be a URL such as redis://'],
    ['REDIS_URL', 'http://cache.example', 'must be a URL such as redis://'],
    ['LOG_LEVEL', 'loud', '"debug"'],
    ['LOG_FORMAT', 'pretty', 'must be json or text'],
    ['BULK_DEADLINE', '2 weeks', 'must be a number with its unit'],
    ['SIGNUP', 'yes', 'must be closed, open or confirm'],
    ['SIGNUP_PER_HOUR', '0', 'must be between 1 and'],
    ['TRUST_PROXY', 'true', 'must be the number of proxies'],
    ['TRUST_PROXY', '0.0.0.0/0', 'must be the number of proxies'],
    ['TRUST_PROXY', 'proxy.example, 10.0.0.0/8', 'must be the number of proxies'],
    ['DNS_SERVERS', 'dns.example', 'must be addresses such as'],
    ['DNS_SERVERS', '192.0.2.256', 'must be addresses such as'],
    ['DNS_SERVERS', '192.0.2.53:0', 'must be addresses such as'],
    ['DNS_SERVERS', '192.0.2.53:65536', 'must be addresses such as'],
    ['DNS_SERVERS', '53', 'must be addresses such as'],
    ['DNS_SERVERS', '2001:db8::53::1', 'must be addresses such as'],
    ['DNS_SERVERS', '[192.0.2.53]:53', 'must be addresses such as'],
    ['DNS_SERVERS', '192.0.2.53 192.0.2.54', 'must be addresses such as'],
    ['DNS_TIMEOUT_MS', '99', 'must be between 100 and 60000'],
    ['DNS_TIMEOUT_MS', '5s', 'must be a whole number'],
    ['SMTP_ENABLED', 'yes', 'must be true or false'],
    ['SMTP_PORT', '0', 'must be between 1 and 65535'],
    ['SMTP_HELO_NAME', 'verify_example', 'must be a host name such as'],
    ['SMTP_HELO_NAME', 'a b', 'must be a host name such as'],
    ['SMTP_HELO_NAME', 'verify.example.org\r\nRSET', 'must be a host name such as'],
    ['SMTP_HELO_NAME', '...', 'must be a host name such as'],
    ['SMTP_HELO_NAME', '[2001:db8::7]', 'an address is written [192.0.2.1] or [IPv6:2001:db8::1]'],
    ['SMTP_HELO_NAME', '[IPv6:192.0.2.1]', 'an address is written [192.0.2.1] or [IPv6:2001:db8::1]'],
    ['SMTP_HELO_NAME', '[IPv6:2001:db8]', 'an address is written [192.0.2.1] or [IPv6:2001:db8::1]'],
    ['SMTP_HELO_NAME', '[192.0.2.256]', 'an address is written [192.0.2.1] or [IPv6:2001:db8::1]'],
    ['SMTP_EGRESS', 'direct;helo=[2001:db8::7]', 'helo=[192.0.2.1] or helo=[IPv6:2001:db8::1]'],
    ['SMTP_MAIL_FROM', '<verify@example.org>', 'without angle brackets'],
    ['SMTP_HELO_NAME', 'x'.repeat(256), 'of at most 255 characters'],
    ['SMTP_MAIL_FROM', `${'x'.repeat(253)}@y`, 'of at most 254 characters'],
    ['SMTP_MAIL_FROM', 'verify', 'must be an address such as'],
    ['SMTP_MAIL_FROM', 'verify@example.org\r\nDATA', 'must be an address such as'],
    ['SMTP_CONNECT_TIMEOUT_MS', '60001', 'must be between 100 and 60000'],
    ['SMTP_COMMAND_TIMEOUT_MS', '1', 'must be between 100 and 300000'],
    ['SMTP_MAX_CONNECTIONS_PER_MX', '0', 'must be between 1 and 100'],
    ['MX_ALLOW_CIDRS', '10.0.0.0', 'must be networks such as 10.0.0.0/8'],
    ['MX_ALLOW_CIDRS', '10.0.0.0/33', 'must be networks such as 10.0.0.0/8'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0', 'must be networks such as 10.0.0.0/8'],
    ['WEBHOOK_ALLOW_HTTP', 'yes', 'must be true or false'],
    ['SMTP_PROXY_URL', 'http://proxy.example:1080', 'must be a URL such as socks5://'],
    ['SMTP_PROXY_URL', 'socks5://u:p%00@proxy.example', 'must have no line end, NUL'],
    ['MX_ALLOW_CIDRS', '10.0.0.0/8,all', 'must be networks such as 10.0.0.0/8'],
  ])('%s=%j is refused by its name, with what to set instead', (name, value, advice) => {
    const refusal = refusalOf({ [name]: value });
    expect(refusal.startsWith(`${name} `)).toBe(true);
    expect(refusal).toContain(advice);
  });

  it('that is invalid does not hide another invalid one', () => {
    const refusal = refusalOf({ PORT: 'x', SMTP_ENABLED: 'x', DNS_SERVERS: 'x' });
    expect(refusal.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'PORT',
      'DNS_SERVERS',
      'SMTP_ENABLED',
    ]);
  });

  it('that is secret is not quoted when it is invalid', () => {
    const refusal = refusalOf({
      SECRET_KEY: 'hunter2hunter2',
      DATABASE_URL: 'mysql://rcpt:hunter2hunter2@db/rcpt',
      REDIS_URL: 'http://rcpt:hunter2hunter2@cache',
      SMTP_PROXY_URL: 'socks5://rcpt:hunter2hunter2%0A@proxy',
    });
    expect(refusal).not.toContain('hunter2');
  });

  it.each(VARIABLES)('%s is never quoted when it is invalid', (name) => {
    for (const value of ['hunter2 hunter2', 'hunter2:hunter2@hunter2', 'socks5://hunter2:hunter2%0A@proxy'])
      expect(problemOf({ [name]: value })).not.toContain('hunter2');
  });
});
