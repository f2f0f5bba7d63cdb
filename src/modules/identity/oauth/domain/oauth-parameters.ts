import { OAuthRefusal } from './oauth-refusal.js';
import { parsedUrl } from '../../../../kernel/text/parsed-url.js';

/** Characters of a token or code. It is only hashed. */
const SECRET = 8_192;
const URI = 2_000;
export const MAX_CLIENT_ID = 500;
const MAX_PARAMETERS = 100;

/** The parameters that an endpoint reads, and the characters that each may have. Others are ignored (RFC 6749 §3.1). */
export const AUTHORIZATION_PARAMETERS = {
  response_type: 100,
  response_mode: 100,
  client_id: MAX_CLIENT_ID,
  redirect_uri: URI,
  scope: 1_000,
  // With the others it is stored until the user answers.
  state: 2_048,
  code_challenge: 128,
  code_challenge_method: 100,
  resource: URI,
  prompt: 100,
  // Both are refused: what they contain would have to be obeyed.
  request: SECRET,
  request_uri: SECRET,
};
export const TOKEN_PARAMETERS = {
  grant_type: 100,
  client_id: MAX_CLIENT_ID,
  code: SECRET,
  code_verifier: SECRET,
  redirect_uri: URI,
  refresh_token: SECRET,
  scope: 1_000,
  resource: URI,
};
export const REVOCATION_PARAMETERS = { client_id: MAX_CLIENT_ID, token: SECRET, token_type_hint: 100 };

export type Parameters = Partial<Record<string, string>>;

/**
 * @param encoded a query, or the body of a form. @param resource that of this server.
 * @throws OAuthRefusal if a parameter is repeated (RFC 6749 §3.1) or too long.
 */
export function parametersIn(
  encoded: string,
  lengths: Readonly<Record<string, number>>,
  resource: string,
): Parameters {
  const parameters: Parameters = {};
  const sent = new URLSearchParams(encoded);
  if (sent.size > MAX_PARAMETERS)
    throw new OAuthRefusal('invalid_request', `Send at most ${MAX_PARAMETERS} parameters.`);
  for (const [name, value] of sent) {
    // One without a value is as if it was not sent (RFC 6749 §3.1).
    if (value === '' || !Object.hasOwn(lengths, name)) continue;
    const max = lengths[name] ?? 0;
    if (value.length > max)
      throw new OAuthRefusal('invalid_request', `${name} may have at most ${max} characters.`);
    const known = name === 'resource' && isSameResource(value, resource) ? resource : value;
    const before = parameters[name];
    // A resource may be repeated (RFC 8707 §2), but this server has only one.
    if (before !== undefined && before !== known)
      throw name === 'resource'
        ? new OAuthRefusal('invalid_target', `The only resource is ${resource}.`)
        : repeated(name);
    if (before !== undefined && name !== 'resource') throw repeated(name);
    parameters[name] = known;
  }
  return parameters;
}

/**
 * Whether both name the same resource: the case of scheme, host and path, a default port, slashes at the end, the query
 * and the fragment make no difference, as for the route.
 */
export function isSameResource(one: string, other: string): boolean {
  const key = resourceKey(one);
  return key !== null && key === resourceKey(other);
}

function resourceKey(text: string): string | null {
  if (parsedUrl(text) === null) return null;
  const { protocol, username, password, host, pathname } = new URL(text);
  if (username !== '' || password !== '') return null;
  let end = pathname.length;
  while (pathname[end - 1] === '/') end--;
  return `${protocol}//${host}${pathname.slice(0, end).toLowerCase()}`;
}

/**
 * The id in `Authorization: Basic`, which some clients send although they have no secret (RFC 6749 §2.3.1); null: it has
 * none.
 */
export function clientIdIn(authorization: string | undefined): string | null {
  const [, encoded] = /^basic +([\w+/=-]+) *$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return null;
  const [id = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':', 1);
  const [decoded] = new URLSearchParams(`id=${id.replaceAll('&', '%26')}`).getAll('id');
  return decoded === undefined || decoded === '' ? null : decoded;
}

const repeated = (name: string) => new OAuthRefusal('invalid_request', `Send ${name} once.`);
