import { OAuthRefusal } from './oauth-refusal.js';
import { parsedUrl } from '../../../../kernel/text/parsed-url.js';

/** More than any known client needs, as it is stored. */
export const MAX_METADATA_BYTES = 5_120;
/** Addresses that a client may have the browser sent to. */
const MAX_REDIRECTS = 20;
const MAX_NAME_LENGTH = 100;
const MAX_URI_LENGTH = 2_000;
const GRANT_TYPES = ['authorization_code', 'refresh_token'];
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Of URLs that a browser runs or reads itself. */
const FORBIDDEN_SCHEMES = ['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:', 'filesystem:'];
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\s]/u;

/** What a client says about itself and this server has (RFC 7591 §2). */
export interface ClientMetadata {
  client_name?: string;
  client_uri?: string;
  redirect_uris: readonly string[];
  grant_types: readonly string[];
  response_types: readonly string[];
  response_modes: readonly string[];
  token_endpoint_auth_method: 'none';
  application_type: 'native' | 'web';
}

type Said = Readonly<Record<string, unknown>>;

/**
 * Leaves out what this server does not have, as RFC 7591 §2 allows: other grants, scopes, secrets and keys of the client,
 * its logo and its contacts. Many programs send what they do not need.
 *
 * @param said a registration, or a metadata document. @throws OAuthRefusal if nothing usable is left.
 */
export function usableMetadata(said: unknown): ClientMetadata {
  if (!isRecord(said)) throw unusable('Send the metadata of the client as a JSON object.');
  const uris = redirectsIn(said.redirect_uris);
  const isWeb = uris.every((uri) => uri.startsWith('https:'));
  // Loopback addresses may have any port (RFC 8252 §7.3), if the client is native. That has none with TLS.
  const redirects = isWeb ? uris : uris.filter((uri) => !isLoopback(uri, 'https:'));
  const name = nameIn(said.client_name);
  const uri = said.client_uri;
  const metadata: ClientMetadata = {
    ...(name !== null && { client_name: name }),
    ...(isPage(uri) && { client_uri: uri }),
    redirect_uris: redirects,
    grant_types: grantsIn(said.grant_types),
    response_types: responsesIn(said.response_types),
    response_modes: ['query'],
    token_endpoint_auth_method: 'none',
    application_type: isWeb ? 'web' : 'native',
  };
  if (JSON.stringify(metadata).length > MAX_METADATA_BYTES)
    throw unusable(`The metadata that is stored may have at most ${MAX_METADATA_BYTES} bytes.`);
  return metadata;
}

/**
 * The same of a document, which nobody can answer: a client that only wants to be recognized by a secret or a key
 * would be taken for one that does not.
 *
 * @throws OAuthRefusal
 */
export function documentMetadata(said: unknown, clientId: string): ClientMetadata & { client_id: string } {
  if (!isRecord(said)) throw unusable('The metadata document of the client is not a JSON object.');
  if (said.client_id !== clientId)
    throw unusable('client_id in the metadata document is not the URL of the document.');
  if ('client_secret' in said) throw unusable('The metadata document contains a client_secret.');
  if (!isPublic(said))
    throw unusable(
      'The client must be able to use token_endpoint_auth_method none, or name it in token_endpoint_auth_methods_supported.',
    );
  return { client_id: clientId, ...usableMetadata(said) };
}

function isPublic({
  token_endpoint_auth_method: method,
  token_endpoint_auth_methods_supported: supported,
}: Said): boolean {
  if (typeof method !== 'string' || method === 'none') return true;
  return Array.isArray(supported) && supported.includes('none');
}

function redirectsIn(uris: unknown): string[] {
  if (!Array.isArray(uris)) throw badRedirect('Send redirect_uris as an array.');
  if (uris.length > MAX_REDIRECTS) throw badRedirect(`Send at most ${MAX_REDIRECTS} redirect_uris.`);
  const usable = [...new Set(uris)].filter(isRedirect);
  if (usable.length === 0)
    throw badRedirect(
      'Send a redirect URI with https, with http to a loopback address, or with a scheme of the program, without a fragment.',
    );
  return usable;
}

/** Without TLS, a code is readable on its way to another machine (RFC 9700 §2.1). */
function isRedirect(uri: unknown): uri is string {
  if (typeof uri !== 'string' || uri.length > MAX_URI_LENGTH || INVISIBLE.test(uri)) return false;
  if (parsedUrl(uri) === null || uri.includes('#')) return false;
  const { protocol, username, password } = new URL(uri);
  if (username !== '' || password !== '' || FORBIDDEN_SCHEMES.includes(protocol)) return false;
  return protocol !== 'http:' || isLoopback(uri, 'http:');
}

function isLoopback(uri: string, scheme: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === scheme && LOOPBACK.includes(hostname);
}

function grantsIn(types: unknown): string[] {
  if (!Array.isArray(types) || types.length === 0) return [...GRANT_TYPES];
  const known = GRANT_TYPES.filter((type) => types.includes(type));
  if (known.length === 0) throw unusable(`Send grant_types of these: ${GRANT_TYPES.join(', ')}.`);
  // A refresh token is issued with a code only.
  return GRANT_TYPES.filter((type) => type === 'authorization_code' || known.includes(type));
}

function responsesIn(types: unknown): string[] {
  if (Array.isArray(types) && types.length > 0 && !types.includes('code'))
    throw unusable('Send response_types with code.');
  return ['code'];
}

function nameIn(name: unknown): string | null {
  if (typeof name !== 'string' || name.trim() === '') return null;
  if (name.length > MAX_NAME_LENGTH)
    throw unusable(`client_name may have at most ${MAX_NAME_LENGTH} characters.`);
  return name;
}

function isPage(uri: unknown): uri is string {
  if (typeof uri !== 'string' || uri.length > MAX_URI_LENGTH || parsedUrl(uri) === null) return false;
  const { protocol, username, password } = new URL(uri);
  return protocol === 'https:' && username === '' && password === '';
}

function isRecord(value: unknown): value is Said {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const unusable = (description: string) => new OAuthRefusal('invalid_client_metadata', description);
const badRedirect = (description: string) => new OAuthRefusal('invalid_redirect_uri', description);
