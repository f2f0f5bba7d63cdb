import { generateKeyPairSync } from 'node:crypto';
import type { ClientMetadata, Configuration, errors as OidcErrors, interactionPolicy } from 'oidc-provider';
import { OAUTH_SCOPES } from '../../../kernel/principal.js';
import { page, escapeHtml } from '../../../platform/http/pages/html-page.js';
import { GRANT_DAYS } from '../domain/authorization-server.js';
import { scopesIn } from '../domain/oauth-scopes.js';
import { CACHED_SECONDS, MAX_DOCUMENT_BYTES, type ClientDocuments } from './client-documents.js';
import { recordsOf, type RecordParts } from './oidc-records.js';

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
/** RFC 6749 §4.1.2 recommends ten minutes at most; a client exchanges the code at once. */
const CODE_SECONDS = 60;
/** Addresses that a client may have the browser sent to. */
const MAX_REDIRECTS = 20;
const MAX_NAME_LENGTH = 100;
const MAX_ID_LENGTH = 500;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The paths of its routes below the base of the service. */
const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
} as const;
const CONSENT_PATH = '/oauth/consent';

interface Parts extends RecordParts {
  publicUrl: string;
  /** The only one for which tokens are issued. */
  resource: string;
  cookieKeys: readonly string[];
  documents: ClientDocuments;
  /** Whether one more document may be fetched for the sender of the current request. */
  mayFetch: () => boolean;
  policy: typeof interactionPolicy;
}

/** The authorization code grant with PKCE for public clients, refresh tokens, and nothing else that the library has. */
export function configurationOf(parts: Parts): Configuration {
  const { publicUrl, resource, errors, documents } = parts;
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
    extraParams: {
      // A client may leave the scopes to the server (RFC 6749 §3.3), and some name only those of other servers.
      scope: ({ oidc }, value) => {
        if (scopesIn(value).length === 0 && oidc.params !== undefined)
          oidc.params.scope = OAUTH_SCOPES.join(' ');
      },
    },
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
      (await parts.keys.isValid(id)) ? { accountId: id, claims: () => ({ sub: id }) } : undefined,
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
    extraClientMetadata: {
      // The validator is called once for each of them.
      properties: ['software_id'],
      validator: (_context, _name, _value, metadata) => adapt(metadata, errors),
    },
    fetch: async (url) => documents.fetch(new URL(url instanceof Request ? url.url : url)),
    fetchResponseBodyLimits: { 'client_id metadata document': MAX_DOCUMENT_BYTES },
    renderError: (context, { error, error_description: description = '' }) => {
      context.type = 'html';
      context.body = page(
        'The authorization has failed',
        `<h1>The authorization has failed</h1><p>${escapeHtml(String(error))}: ${escapeHtml(String(description))}</p>
<p>Close this page, and connect again in the program that you came from.</p>`,
      );
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
          return { scope: OAUTH_SCOPES.join(' '), accessTokenFormat: 'opaque', accessTokenTTL: HOUR_SECONDS };
        },
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: CACHED_SECONDS,
        allowFetch: (_, id) => id.length <= MAX_ID_LENGTH && parts.mayFetch(),
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

const REPLACED = [
  'client_secret',
  'client_secret_expires_at',
  // Addresses of persons, which nobody reads.
  'contacts',
  'id_token_signed_response_alg',
  'jwks',
  'jwks_uri',
  'scope',
  // The library would fetch it, whenever it reads the client.
  'sector_identifier_uri',
];

/**
 * What a client says about itself, made to fit (RFC 7591 §2 lets the server replace values): it has no secret, and its
 * scopes are those that the user allows.
 */
function adapt(
  metadata: ClientMetadata,
  { InvalidClientMetadata, InvalidRedirectUri }: typeof OidcErrors,
): void {
  const isDocument = /^https:/i.test(metadata.client_id);
  if (!isDocument) metadata.token_endpoint_auth_method = 'none';
  for (const name of REPLACED) delete metadata[name];
  metadata.response_modes = ['query'];
  const uris: unknown = metadata.redirect_uris;
  if (Array.isArray(uris) && (uris.length > MAX_REDIRECTS || uris.some(isUnsafe)))
    throw new InvalidRedirectUri();
  const { client_name: name } = metadata;
  if (typeof name === 'string' && name.length > MAX_NAME_LENGTH)
    throw new InvalidClientMetadata(`client_name must have at most ${MAX_NAME_LENGTH} characters`);
}

/** Without TLS, a code is readable on its way to another machine (RFC 9700 §2.1). */
function isUnsafe(uri: unknown): boolean {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return true;
  const { protocol, hostname, username, password } = new URL(uri);
  return username !== '' || password !== '' || (protocol === 'http:' && !LOOPBACK.includes(hostname));
}
