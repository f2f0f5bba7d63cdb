import { generateKeyPairSync } from 'node:crypto';
import type { Configuration, interactionPolicy, ResourceServer } from 'oidc-provider';
import { OAUTH_SCOPES } from '../../../../kernel/principal.js';
import { GRANT_DAYS } from '../domain/authorization-server.js';
import { MAX_CLIENT_ID } from '../domain/oauth-parameters.js';
import { authorizationFailed } from '../../../../platform/http/pages/authorization-failed.js';
import { recordsOf, type RecordParts } from './oidc-records.js';
import { DAY_SECONDS, HOUR_SECONDS } from '../../../../kernel/durations.js';

/** RFC 6749 §4.1.2 recommends ten minutes at most; a client exchanges the code at once. */
const CODE_SECONDS = 60;
/** In the memory of the library, before it reads the stored document again. */
const CACHED_SECONDS = { min: 60, max: 60 };

/** The paths of its routes below the base of the service. */
export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
} as const;
const CONSENT_PATH = '/oauth/consent';

export const RESOURCE_SERVER = {
  scope: OAUTH_SCOPES.join(' '),
  accessTokenFormat: 'opaque',
  accessTokenTTL: HOUR_SECONDS,
} as const satisfies ResourceServer;

interface Parts extends RecordParts {
  publicUrl: string;
  /** The only one for which tokens are issued. */
  resource: string;
  cookieKeys: readonly string[];
  isKeyValid: (id: string) => Promise<boolean>;
  /** The stored metadata document of a client; null: there is none. */
  documentOf: (clientId: string) => Promise<object | null>;
  policy: typeof interactionPolicy;
}

/** The authorization code grant with PKCE for public clients, refresh tokens, and nothing else that the library has. */
export function configurationOf(parts: Parts): Configuration {
  const { publicUrl, resource, errors, documentOf } = parts;
  return {
    adapter: (model) => recordsOf(model, parts),
    // The library wants a key for ID tokens. There are none, and access tokens are opaque, so that nothing is signed.
    jwks: { keys: [generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })] },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    scopes: [...OAUTH_SCOPES],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: {
      // Loopback addresses may have any port (RFC 8252 §7.3).
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'EdDSA',
    },
    routes: ROUTES,
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => false,
    cookies: {
      keys: [...parts.cookieKeys],
      names: {
        session: 'rcpt-oauth-session',
        interaction: 'rcpt-oauth-request',
        resume: 'rcpt-oauth-resume',
      },
      long: { path: new URL(`${publicUrl}/oauth`).pathname, httpOnly: true, sameSite: 'lax', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    interactions: {
      policy: alwaysAsk(parts.policy),
      url: (_, { uid }) => `${publicUrl}${CONSENT_PATH}/${uid}`,
    },
    findAccount: async (_, id) =>
      (await parts.isKeyValid(id)) ? { accountId: id, claims: () => ({ sub: id }) } : undefined,
    expiresWithSession: () => false,
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    ttl: {
      AccessToken: HOUR_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      Grant: GRANT_DAYS * DAY_SECONDS,
      Interaction: HOUR_SECONDS,
      RefreshToken: GRANT_DAYS * DAY_SECONDS,
      Session: HOUR_SECONDS,
    },
    // Nothing is fetched here: the document was stored before.
    fetch: async (url) => documentResponse(await documentOf(url instanceof Request ? url.url : String(url))),
    renderError: (context, { error, error_description: description = '' }) => {
      // Of a redirect that was refused.
      if (context.status < 400) context.status = 400;
      context.type = 'html';
      context.body = authorizationFailed(String(error), String(description));
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: true, initialAccessToken: false, issueRegistrationAccessToken: false },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        // RFC 8707 §2: a token for another resource is not issued.
        getResourceServerInfo: (_, indicator) => {
          if (indicator !== resource) throw new errors.InvalidTarget(`the only resource is ${resource}`);
          return RESOURCE_SERVER;
        },
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: CACHED_SECONDS,
        allowFetch: (_, id) => id.length <= MAX_CLIENT_ID,
      },
    },
  };
}

/** Each request is asked about, also one that the same client has made before. */
function alwaysAsk({ Prompt, Check, base }: typeof interactionPolicy) {
  const policy = base();
  policy.clear();
  const isOpen = ({ oidc }: { oidc: { result?: { consent?: unknown } | undefined } }) =>
    oidc.result?.consent === undefined;
  const ask = new Check('ask', 'the user has not answered', (context) => isOpen(context));
  // A client may name either in `prompt`.
  policy.add(new Prompt({ name: 'consent', requestable: true }, ask));
  policy.add(new Prompt({ name: 'login', requestable: true }));
  return policy;
}

function documentResponse(metadata: object | null): Response {
  return metadata === null ? new Response(null, { status: 404 }) : Response.json(metadata);
}
