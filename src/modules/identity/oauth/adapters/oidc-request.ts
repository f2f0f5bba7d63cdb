import type { Request } from 'express';
import { IncomingMessage } from 'node:http';
import { bufferedBody } from '../../../../platform/http/body/raw-body.js';
import { mediaTypeOf } from '../../../../platform/http/body/media-type.js';
import type { AuthenticatedRequest } from '../../../../platform/http/request/request-log.js';
import type { Endpoint } from '../domain/authorization-server.js';
import { usableMetadata } from '../domain/client-metadata.js';
import {
  AUTHORIZATION_PARAMETERS,
  clientIdIn,
  parametersIn,
  REVOCATION_PARAMETERS,
  TOKEN_PARAMETERS,
  type Parameters,
} from '../domain/oauth-parameters.js';
import { OAuthRefusal } from '../domain/oauth-refusal.js';
import { ROUTES } from './oidc-configuration.js';

/** A registration may contain a logo, which is not stored. */
const MAX_BODY_BYTES = 32_768;
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

const PATHS: Record<Exclude<Endpoint, 'resumption'>, string> = {
  ...ROUTES,
  metadata: '/.well-known/oauth-authorization-server',
};

/** A request as far as this server has it. */
export interface CheckedRequest {
  endpoint: Endpoint;
  parameters: Parameters;
  /** Of a registration. */
  metadata: object | null;
}

/** @throws OAuthRefusal, PayloadTooLarge, RequestTimeout, NotReady, MalformedHttp */
export async function checkedRequest(
  request: Request,
  endpoint: Endpoint,
  resource: string,
): Promise<CheckedRequest> {
  const checked = { endpoint, parameters: {}, metadata: null };
  switch (endpoint) {
    case 'authorization':
      return { ...checked, parameters: parametersIn(queryOf(request), AUTHORIZATION_PARAMETERS, resource) };
    case 'token':
      return { ...checked, parameters: await formOf(request, TOKEN_PARAMETERS, resource) };
    case 'revocation':
      return { ...checked, parameters: await formOf(request, REVOCATION_PARAMETERS, resource) };
    case 'registration':
      return { ...checked, metadata: usableMetadata(jsonIn(await bodyOf(request, JSON_TYPE))) };
    default:
      return checked;
  }
}

/**
 * The request that the library gets: of what was sent, only what was checked. Whatever a proxy has changed, addresses of
 * this service begin with its base.
 */
export function libraryRequest(sent: Request, base: URL, checked: CheckedRequest | null): IncomingMessage {
  const { host, protocol, pathname } = base;
  const request = new IncomingMessage(sent.socket);
  const target = checked === null ? sent.url : targetOf(sent, checked);
  const { cookie, accept } = sent.headers;
  const [type, body] = checked === null ? [null, ''] : contentOf(checked);
  request.method = sent.method;
  request.url = target;
  request.headers = {
    ...(cookie !== undefined && { cookie }),
    ...(accept !== undefined && { accept }),
    ...(type !== null && { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }),
    host: host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
  };
  Object.assign(request, { originalUrl: `${pathname.replace(/\/$/, '')}${target}` });
  if (body !== '') request.push(body);
  request.push(null);
  request.complete = true;
  return request;
}

function targetOf(sent: Request, { endpoint, parameters }: CheckedRequest): string {
  if (endpoint === 'resumption')
    return `${ROUTES.authorization}/${encodeURIComponent(String(sent.params.id))}`;
  const query = endpoint === 'authorization' ? `?${encoded(parameters)}` : '';
  return `${PATHS[endpoint]}${query}`;
}

function contentOf({ endpoint, parameters, metadata }: CheckedRequest): [type: string | null, body: string] {
  if (metadata !== null) return [JSON_TYPE, JSON.stringify(metadata)];
  return endpoint === 'token' || endpoint === 'revocation' ? [FORM, encoded(parameters)] : [null, ''];
}

function encoded(parameters: Parameters): string {
  return new URLSearchParams(parameters as Record<string, string>).toString();
}

function queryOf({ url }: Request): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

async function formOf(
  request: Request,
  lengths: Readonly<Record<string, number>>,
  resource: string,
): Promise<Parameters> {
  const parameters = parametersIn(await bodyOf(request, FORM), lengths, resource);
  const named = clientIdIn(request.headers.authorization);
  if (named === null) return parameters;
  if (parameters.client_id !== undefined && parameters.client_id !== named)
    throw new OAuthRefusal('invalid_request', 'client_id is not that of the Authorization header.');
  return { ...parameters, client_id: named };
}

async function bodyOf(request: AuthenticatedRequest, type: string): Promise<string> {
  const { 'content-type': sent, 'content-encoding': coding = 'identity' } = request.headers;
  if (sent !== undefined && mediaTypeOf(sent).type !== type)
    throw new OAuthRefusal('invalid_request', `Send Content-Type: ${type}.`);
  if (coding !== 'identity')
    throw new OAuthRefusal('invalid_request', 'Send the body without a content coding.');
  return (await bufferedBody(request, MAX_BODY_BYTES)).toString('utf8');
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OAuthRefusal('invalid_client_metadata', 'The body is not JSON.');
  }
}
