import { Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import { Clock } from '../../../../kernel/clock.js';
import { Config } from '../../../../platform/config/config.js';
import { isSecure, type OidcConfig } from '../../../../platform/config/oidc-config.js';
import { boundedFetch, ResponseTooLarge } from '../../../../platform/net/bounded-fetch.js';
import { errorCode } from '../../../../platform/telemetry/error-code.js';
import { Log } from '../../../../platform/telemetry/log.js';
import {
  IdentityProvider,
  OidcRefused,
  type Identity,
  type SignInAttempt,
} from '../domain/identity-provider.js';

const SCOPE = 'openid email';
const TIMEOUT_SECONDS = 5;
/** Endpoints of the provider may move. */
const METADATA_MS = 3_600_000;
/** Errors of the token endpoint that are about our configuration (RFC 6749 §5.2). */
const OWN_ERRORS = ['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope'];
/** Metadata, keys and tokens have a few kB. */
const MAX_BYTES = 256_000;
const fetchBounded = boundedFetch(MAX_BYTES);

class UnusableResponse extends Error {}

/** The authorization code flow with PKCE, state and nonce (OpenID Connect Core §3.1, RFC 9700). */
@Injectable()
export class OpenIdIdentityProvider extends IdentityProvider {
  private discovery: { result: Promise<oidc.Configuration>; atMs: number } | null = null;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  async begin(): Promise<{ url: string; attempt: SignInAttempt }> {
    const client = await this.discover();
    const attempt = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    };
    const url = oidc.buildAuthorizationUrl(client, {
      redirect_uri: this.callbackUrl,
      scope: SCOPE,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    if (!isSecure(url)) throw this.unavailable('authorization endpoint without TLS');
    return { url: url.href, attempt };
  }

  async finish(query: string, { state, nonce, verifier }: SignInAttempt): Promise<Identity> {
    const client = await this.discover();
    const url = new URL(this.callbackUrl);
    url.search = query;
    try {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      const tokens = await oidc.authorizationCodeGrant(client, url, { ...checks, idTokenExpected: true });
      // There are claims, because an ID token is expected.
      const claims = tokens.claims() as oidc.IDToken;
      // Many providers have the address in the response of UserInfo only (OpenID Connect Core §5.4).
      if (claims.email !== undefined) return identityIn(claims);
      return identityIn(await oidc.fetchUserInfo(client, tokens.access_token, claims.sub));
    } catch (error) {
      throw this.translated(error);
    }
  }

  private get callbackUrl(): string {
    return `${this.config.publicUrl}/signin/oidc/callback`;
  }

  /** Concurrent callers share one request; a failed one is repeated by the next caller. */
  private discover(): Promise<oidc.Configuration> {
    const atMs = this.clock.monotonicMs();
    if (this.discovery !== null && atMs - this.discovery.atMs < METADATA_MS) return this.discovery.result;
    const entry = { result: this.load(), atMs };
    this.discovery = entry;
    entry.result.catch(() => {
      if (this.discovery === entry) this.discovery = null;
    });
    return entry.result;
  }

  private async load(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.config.oidc as OidcConfig;
    const insecure = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
    try {
      return await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
        [oidc.customFetch]: providerFetch,
        timeout: TIMEOUT_SECONDS,
        // The signature of the ID token is checked too, not only the certificate of the token endpoint.
        execute: [...insecure, oidc.enableNonRepudiationChecks],
      });
    } catch (error) {
      throw this.unavailable(error);
    }
  }

  private translated(error: unknown): Error {
    if (error instanceof oidc.AuthorizationResponseError) return new OidcRefused('denied', { cause: error });
    const isRefused = error instanceof oidc.ResponseBodyError;
    if (isRefused && !OWN_ERRORS.includes(error.error)) return this.invalid(error.error);
    if (isRefused || error instanceof oidc.WWWAuthenticateChallengeError || isUnreachable(error))
      return this.unavailable(error);
    return this.invalid(errorCode(error as Error).code ?? (error as Error).name);
  }

  private invalid(reason: string): Error {
    this.log.warn({ reason }, 'response of the identity provider refused');
    return new OidcRefused('invalid_response');
  }

  /** The message of an error may contain a secret; its code does not. */
  private unavailable(error: unknown): Error {
    const reason =
      typeof error === 'string' ? error : (errorCode(error as Error).code ?? (error as Error).name);
    this.log.error({ reason }, 'identity provider not available; see OIDC_ISSUER');
    return new OidcRefused('unavailable');
  }
}

/** Only `true` is verified: a text such as "false" is not. */
function identityIn({ email, email_verified: isVerified }: Record<string, unknown>): Identity {
  return { email: typeof email === 'string' ? email : null, isVerified: isVerified === true };
}

/** The cause of an error of the library is that of the request. */
function isUnreachable(error: unknown): boolean {
  for (
    let cause: unknown = error, depth = 0;
    cause instanceof Error && depth < 5;
    cause = cause.cause, depth++
  )
    if (
      cause instanceof UnusableResponse ||
      cause instanceof ResponseTooLarge ||
      cause.name === 'TimeoutError' ||
      isFetchFailure(cause)
    )
      return true;
  return false;
}

function isFetchFailure(error: Error): boolean {
  return error instanceof TypeError && error.message === 'fetch failed';
}

/**
 * `fetch` for an identity provider: a limited response, and no connection that others can read. The library sets the
 * timeout.
 *
 * @throws UnusableResponse, ResponseTooLarge
 */
async function providerFetch(url: string, options: RequestInit): Promise<Response> {
  if (!isSecure(new URL(url))) throw new UnusableResponse('insecure endpoint');
  const response = await fetchBounded(url, options);
  if (response.status >= 500) throw new UnusableResponse(`status ${response.status}`);
  return response;
}
