import createClient, { type Middleware } from 'openapi-fetch';
import { BASE, reach } from './connection';
import { errorOf } from './problem';
import type { components, paths } from './schema';
import { currentKey, dropKey } from './session';

export type Schemas = components['schemas'];
export type Verdict = Schemas['Verdict'];
export type Status = Verdict['status'];
export type Reason = Verdict['reason'];
export type BulkJob = Schemas['BulkJob'];
export type Me = Schemas['Me'];
export type Role = Me['role'];
export type Mode = Schemas['Key']['mode'];

const authorization: Middleware = {
  onRequest({ request }) {
    const key = currentKey();
    const isGiven = request.headers.has('Authorization');
    if (key !== null && !isGiven && new URL(request.url).pathname.includes('/v1/'))
      request.headers.set('Authorization', `Bearer ${key}`);
    return request;
  },
  async onResponse({ request, response }) {
    if (response.ok) return;
    throw await refusalOf(response, request.headers.get('Authorization'));
  },
};

/** The public API, with the types of its OpenAPI document. A refused call throws an `ApiError`. */
export const api = createClient<paths>({ baseUrl: BASE, fetch: reach });
api.use(authorization);

/** The body of a success. */
export async function data<T>(answer: Promise<{ data?: T }>): Promise<T> {
  return (await answer).data as T;
}

/** For answers that the generated client cannot read: streams and files. @throws ApiError */
export async function open(path: string, accept: string, signal?: AbortSignal): Promise<Response> {
  const authorized = `Bearer ${currentKey() ?? ''}`;
  const headers = { Authorization: authorized, Accept: accept };
  const response = await reach(BASE + path, { headers, ...(signal && { signal }) });
  if (!response.ok) throw await refusalOf(response, authorized);
  return response;
}

/** A key that is no longer valid ends the session. */
async function refusalOf(response: Response, authorized: string | null): Promise<Error> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const isOfSession = authorized === `Bearer ${currentKey() ?? ''}`;
  const error = errorOf(response, body);
  if (error.code === 'invalid_credential' && isOfSession) {
    ended = error.message;
    if (!dropKey()) ended = null;
  }
  return error;
}

let ended: string | null = null;

/** Why the last session ended, in the words of the API; null: at the wish of the person, or said already. */
export const sessionEnd = () => ended;

export function forgetEnd(): void {
  ended = null;
}
