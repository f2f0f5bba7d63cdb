import { BASE, reach } from '../../api/connection';
import { errorOf } from '../../api/problem';

/** What a program asks for. Its texts are its own. */
export interface Authorization {
  client: { id: string; name: string | null; verified: boolean };
  /** Where the answer goes; without a host, to a program that has the scheme on this computer. */
  redirect: { scheme: string; host: string | null };
  scopes: readonly Scope[];
}

export type Scope = 'verify' | 'lists' | 'usage';

type Answer = { allow: false } | { allow: true; mode: 'live' | 'test'; scopes: readonly Scope[] };

/** These routes are for this page only, so that the document of the API does not have them. @throws ApiError */
async function call<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await reach(`${BASE}oauth/consent/${path}`, init);
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw errorOf(response, body);
  return body as T;
}

export const readAuthorization = (id: string) => call<Authorization>(`${encodeURIComponent(id)}/request`);

/** @returns where the browser goes on. */
export async function answerAuthorization(id: string, key: string, answer: Answer): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(answer) };
  return (await call<{ redirect_to: string }>(encodeURIComponent(id), init)).redirect_to;
}

const COMPUTER = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** The host that gets the answer; null: this computer. */
export function hostOf({ redirect: { host, scheme } }: Authorization): string | null {
  return host === null || !scheme.startsWith('http') || COMPUTER.test(host) ? null : host;
}
