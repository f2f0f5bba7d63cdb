import { createHash, randomBytes } from 'node:crypto';
import type { TestApp } from '../app/app.js';
import { PUBLIC_URL, REDIRECT } from './assistant.js';
import { ConsentBrowser } from './consent-browser.js';

/** What a test reads of a response. */
export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  body: unknown;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
}

/** The parameters of a request, each of which an attack may replace. */
export interface Attempt {
  clientId: string;
  verifier: string;
  parameters: Record<string, string>;
}

/** Requests to the authorization server as any program can write them. */
export class OAuthRequests {
  private networks = 0;

  constructor(
    private readonly app: TestApp,
    private readonly publicUrl = PUBLIC_URL,
  ) {}

  /** Another client network: limits are for each. */
  newNetwork(): string {
    return `198.51.${++this.networks}.1`;
  }

  register(metadata: object = {}, from = this.newNetwork()) {
    const body = { client_name: 'Assistant', redirect_uris: [REDIRECT], ...metadata };
    return this.app.post('/oauth/register').set('X-Forwarded-For', from).send(body);
  }

  async attempt(changes: Record<string, string> = {}, metadata: object = {}): Promise<Attempt> {
    const { body } = (await this.register(metadata)) as { body: { client_id: string } };
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const parameters = {
      response_type: 'code',
      client_id: body.client_id,
      redirect_uri: REDIRECT,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      scope: 'verify lists usage',
      resource: `${this.publicUrl}/mcp`,
      state: 'a-state',
      ...changes,
    };
    return { clientId: parameters.client_id, verifier, parameters };
  }

  urlOf({ parameters }: Attempt): URL {
    return new URL(`/oauth/authorize?${new URLSearchParams(parameters).toString()}`, this.publicUrl);
  }

  /** @returns the code. */
  async allowed(attempt: Attempt, key: string, answer: object = {}): Promise<string> {
    const browser = new ConsentBrowser(this.app, new Map(), this.publicUrl);
    const id = await browser.open(this.urlOf(attempt));
    return (await browser.allow(id, key, answer)).searchParams.get('code') ?? '';
  }

  exchange({ clientId, verifier, parameters }: Attempt, code: string, changes: Record<string, string> = {}) {
    return this.token({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: parameters.redirect_uri ?? REDIRECT,
      code,
      code_verifier: verifier,
      ...changes,
    });
  }

  refresh({ clientId }: Attempt, token: string, changes: Record<string, string> = {}) {
    return this.token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...changes });
  }

  token(fields: Record<string, string>) {
    return this.app.post('/oauth/token').set('X-Forwarded-For', this.newNetwork()).type('form').send(fields);
  }

  /** All steps. */
  async connected(key: string, answer: object = {}): Promise<{ attempt: Attempt; tokens: Tokens }> {
    const attempt = await this.attempt();
    const response = await this.exchange(attempt, await this.allowed(attempt, key, answer));
    if (response.status !== 200) throw new Error(`no tokens: ${JSON.stringify(response.body)}`);
    return { attempt, tokens: response.body as Tokens };
  }
}
