import { expect } from '@jest/globals';
import type supertest from 'supertest';
import type { TestApp } from '../app/app.js';
import { CLIENT, type LocalIdentityProvider } from './identity-provider.js';

const PUBLIC_URL = 'https://verify.example';
export const CALLBACK = `${PUBLIC_URL}/signin/oidc/callback`;

/** People of these domains join the first team. */
export const JOINING = { OIDC_ALLOWED_DOMAINS: 'corp.example, bücher.example', OIDC_ROLE: 'admin' };

export function settingsFor({ issuer }: Pick<LocalIdentityProvider, 'issuer'>) {
  return {
    PUBLIC_URL,
    TRUST_PROXY: '1',
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
  };
}

/** The browser of a person, behind a proxy that the service trusts. It follows no redirect of the service. */
export class SignInBrowser {
  constructor(
    private readonly app: TestApp,
    private readonly address: string,
  ) {}

  get(path: string, cookie: string | null = null): supertest.Test {
    const request = this.app.get(path).set('X-Forwarded-For', this.address).redirects(0);
    return cookie === null ? request : request.set('Cookie', cookie);
  }

  /** Begins a sign-in. @returns the page of the provider, and the cookie. */
  async begun(): Promise<{ url: string; cookie: string }> {
    const response = await this.get('/signin/oidc');
    expect(response.status).toBe(303);
    const [cookie = ''] = response.get('Set-Cookie') ?? [];
    return { url: response.get('Location') ?? '', cookie: cookie.split(';')[0] ?? '' };
  }

  /** @param url to which the provider has sent the browser. */
  ended({ search }: URL, cookie: string | null): supertest.Test {
    return this.get(`/signin/oidc/callback${search}`, cookie);
  }

  async signedIn(provider: LocalIdentityProvider): Promise<supertest.Response> {
    const { url, cookie } = await this.begun();
    return this.ended(await provider.visit(url), cookie);
  }
}

/** The token with which the console gets a key; undefined: the sign-in was refused. */
export function tokenOf(response: supertest.Response): string | undefined {
  const location = response.get('Location') ?? '';
  return /^https:\/\/verify\.example\/console#sign-in=(rcpt_signin_[\w-]{43})$/.exec(location)?.[1];
}

/** The console is told why, and nobody is signed in. */
export function expectRefusal(response: supertest.Response, code: string, publicUrl = PUBLIC_URL): void {
  expect([response.status, response.get('Location')]).toEqual([303, `${publicUrl}/console#refused=${code}`]);
  expect(response.text).not.toContain('rcpt_signin_');
}
