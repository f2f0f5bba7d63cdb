import { jest } from '@jest/globals';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPairSync } from 'node:crypto';

/** Of all providers of a worker, since one takes a tenth of a second to make. */
const SIGNING_KEY = {
  ...generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'RS256',
};

/** What the provider states about the person who signs in. */
export interface Claims {
  sub: string;
  email?: string;
  email_verified?: unknown;
}

export const CLIENT = { id: 'rcpt-console', secret: 'the secret of the client at the provider' };

/** An identity provider on a loopback address. Whoever comes is signed in as `person`, without a password. */
export class LocalIdentityProvider {
  person: Claims = { sub: 'nobody' };
  /** Changes the body of a response, by its path. */
  tampered: ((path: string, body: string) => string) | null = null;
  /** The paths of requests that the service has sent. */
  readonly requested: string[] = [];

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  /** @param callback of the service. @param options port 0: any. inIdToken: the ID token has the address. */
  static async start(callback: string, { port = 0, inIdToken = false } = {}): Promise<LocalIdentityProvider> {
    // It warns that it is no server for production.
    for (const method of ['info', 'warn'] as const) jest.spyOn(console, method).mockReturnValue(undefined);
    const { Provider } = await import('oidc-provider');
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const fake = new LocalIdentityProvider(issuer, server);
    const provider = new Provider(issuer, fake.configuration(callback, inIdToken));
    const respond = provider.callback();
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { pathname } = new URL(request.url ?? '/', issuer);
      fake.requested.push(pathname);
      if (pathname.startsWith('/interaction/')) {
        const login = { accountId: fake.person.sub };
        void provider.interactionFinished(request, response, { login });
        return;
      }
      fake.tamperWith(pathname, response);
      void respond(request, response);
    });
    return fake;
  }

  /** Visits a page of the provider as a browser does. @returns where it sends the browser at the end. */
  async visit(start: string): Promise<URL> {
    const cookies = new Map<string, string>();
    for (let url = new URL(start), steps = 0; steps < 10; steps++) {
      if (url.origin !== this.issuer) return url;
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const set of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      const next = response.headers.get('location');
      if (next === null) throw new Error(`${response.status}: ${await response.text()}`);
      url = new URL(next, url);
    }
    throw new Error('too many redirects');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private configuration(callback: string, inIdToken: boolean): Configuration {
    return {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [callback] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      // As the standard says, the address is in the response of UserInfo only.
      conformIdTokenClaims: !inIdToken,
      jwks: { keys: [SIGNING_KEY] },
      cookies: { keys: ['a key of the provider'] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...this.person }) }),
      loadExistingGrant: consented,
    };
  }

  private tamperWith(path: string, response: ServerResponse): void {
    const { tampered } = this;
    if (tampered === null) return;
    const end = response.end.bind(response) as (body: string) => ServerResponse;
    const changed = (body: unknown) => {
      const text = tampered(path, String(body));
      response.setHeader('content-length', Buffer.byteLength(text));
      return end(text);
    };
    Object.assign(response, { end: changed });
  }
}

/** Nobody is asked for consent. */
async function consented({ oidc }: KoaContextWithOIDC) {
  const grant = new oidc.provider.Grant({
    clientId: oidc.client?.clientId ?? '',
    accountId: oidc.session?.accountId ?? '',
  });
  grant.addOIDCScope('openid email');
  await grant.save();
  return grant;
}
