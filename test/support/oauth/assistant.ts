import {
  auth,
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import type { TestApp } from '../app/app.js';

export const PUBLIC_URL = 'https://rcpt.example';
/** Where the assistant gets the answer. */
export const REDIRECT = 'https://assistant.example/callback';

/** `fetch` as a program on the Internet has it: the host of `publicUrl` is the service of the test. */
export const fetchFrom =
  ({ url }: Pick<TestApp, 'url'>, publicUrl = PUBLIC_URL): typeof fetch =>
  (input, init) => {
    const target = input instanceof Request ? input.url : String(input);
    return fetch(target.replace(publicUrl, url), { redirect: 'manual', ...init });
  };

/** An assistant: the client of the official SDK, which keeps everything in memory. */
export class Assistant implements OAuthClientProvider {
  client: OAuthClientInformationMixed | undefined;
  saved: OAuthTokens | undefined;
  /** Where it has sent the browser. */
  authorizationUrl: URL | null = null;
  private verifier = '';
  private discovered: OAuthDiscoveryState | undefined;
  readonly fetch: typeof fetch;

  constructor(
    app: Pick<TestApp, 'url'>,
    readonly clientMetadataUrl?: string,
    readonly redirectUrl: string = REDIRECT,
  ) {
    this.fetch = fetchFrom(app);
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Assistant',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    };
  }

  /** Begins, or refreshes. @returns `REDIRECT`: the browser of the user has to go to `authorizationUrl`. */
  connect(): Promise<'AUTHORIZED' | 'REDIRECT'> {
    return auth(this, { serverUrl: `${PUBLIC_URL}/mcp`, fetchFn: this.fetch });
  }

  /** The browser has come back. */
  finish(answer: URL): Promise<'AUTHORIZED' | 'REDIRECT'> {
    const iss = answer.searchParams.get('iss');
    return auth(this, {
      serverUrl: `${PUBLIC_URL}/mcp`,
      authorizationCode: answer.searchParams.get('code') ?? '',
      ...(iss !== null && { iss }),
      fetchFn: this.fetch,
    });
  }

  state = () => 'a-state';
  clientInformation = () => this.client;
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.client = client);
  tokens = () => this.saved;
  saveTokens = (tokens: OAuthTokens) => void (this.saved = tokens);
  redirectToAuthorization = (url: URL) => void (this.authorizationUrl = url);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState) => void (this.discovered = state);
  discoveryState = () => this.discovered;
}
