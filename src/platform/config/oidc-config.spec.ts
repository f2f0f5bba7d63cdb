import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from './config.js';

const PROVIDER = {
  OIDC_ISSUER: 'https://login.example.org/realms/staff',
  OIDC_CLIENT_ID: 'rcpt',
  OIDC_CLIENT_SECRET: 'pass-word',
};

function refusalOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  throw new Error('The configuration was accepted');
}

describe('the variables of OpenID Connect', () => {
  it('are issuer, client and secret, and optionally domains and a role', () => {
    expect(readConfig({}).oidc).toBeNull();
    const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = PROVIDER;
    const provider = { issuer, clientId, clientSecret };
    expect(readConfig(PROVIDER).oidc).toEqual({ ...provider, allowedDomains: [], role: null });
    const more = { OIDC_ALLOWED_DOMAINS: 'Corp.example, bücher.example', OIDC_ROLE: 'member' };
    expect(readConfig({ ...PROVIDER, ...more }).oidc).toEqual({
      ...provider,
      ...{ allowedDomains: ['corp.example', 'xn--bcher-kva.example'], role: 'member' },
    });
  });

  it('must be set together', () => {
    for (const missing of Object.keys(PROVIDER))
      expect(refusalOf({ ...PROVIDER, [missing]: '' })).toMatch(/^Set OIDC_ISSUER, .* together/);
    expect(refusalOf({ OIDC_ROLE: 'member' })).toMatch(/^Set OIDC_ISSUER/);
    expect(refusalOf({ OIDC_ALLOWED_DOMAINS: 'corp.example' })).toMatch(/^Set OIDC_ISSUER/);
  });

  it('let nobody join unless domains are set', () => {
    expect(refusalOf({ ...PROVIDER, OIDC_ROLE: 'member' })).toMatch(/OIDC_ALLOWED_DOMAINS is not set/);
  });

  it.each(['owner', 'Member', 'none'])('have no role %s', (role) => {
    const domains = { OIDC_ALLOWED_DOMAINS: 'corp.example' };
    expect(refusalOf({ ...PROVIDER, ...domains, OIDC_ROLE: role })).toBe('OIDC_ROLE must be admin or member');
  });

  it.each(['http://127.0.0.1:8080', 'http://localhost:8080/realm', 'http://[::1]:8080'])(
    'accept http on loopback addresses: %s',
    (issuer) => {
      expect(readConfig({ ...PROVIDER, OIDC_ISSUER: issuer }).oidc?.issuer).toBe(issuer);
    },
  );

  it.each([
    ...['http://login.example.org', 'http://127.0.0.1.example.org', 'http://localhost.example.org'],
    ...[
      'http://10.0.0.1',
      'login.example.org',
      'ftp://127.0.0.1',
      'https://user:pass-word@login.example.org',
    ],
    ...['https://login.example.org?x=1', 'https://login.example.org#x'],
  ])('refuse the issuer %s, and do not quote it', (issuer) => {
    const message = refusalOf({ ...PROVIDER, OIDC_ISSUER: issuer });
    expect(message).toMatch(/^OIDC_ISSUER must be the issuer/);
    expect(message).not.toContain('pass-word');
  });

  it.each(['@corp.example', '*.corp.example', 'corp', 'corp.example/x', ',', 'a b.example'])(
    'refuse the domain %s',
    (domains) => {
      expect(refusalOf({ ...PROVIDER, OIDC_ALLOWED_DOMAINS: domains })).toMatch(
        /^OIDC_ALLOWED_DOMAINS must be domains/,
      );
    },
  );
});
