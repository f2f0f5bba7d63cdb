import type { TestApp } from '../app/app.js';
import { fetchFrom, PUBLIC_URL } from './assistant.js';

interface Cookie {
  value: string;
  path: string;
}

/** What the service says about a request. */
export interface ShownRequest {
  client: { id: string; name: string | null; uri: string | null; verified: boolean };
  redirect: { scheme: string; host: string | null };
  scopes: string[];
}

/** The browser of a user: follows redirects, keeps cookies by path, and answers requests as the console does. */
export class ConsentBrowser {
  private readonly fetch: typeof fetch;

  constructor(
    app: Pick<TestApp, 'url'>,
    private readonly cookies = new Map<string, Cookie>(),
    private readonly publicUrl = PUBLIC_URL,
  ) {
    this.fetch = fetchFrom(app, publicUrl);
  }

  /** The same browser, whose requests reach another process. */
  at(app: Pick<TestApp, 'url'>): ConsentBrowser {
    return new ConsentBrowser(app, this.cookies, this.publicUrl);
  }

  /** @returns where the browser is at the end: a page of the service, or another host. */
  async visit(start: string | URL): Promise<{ url: URL; status: number; text: string }> {
    for (let url = new URL(start), steps = 0; steps < 10; steps++) {
      if (url.origin !== this.publicUrl) return { url, status: 0, text: '' };
      const response = await this.send(url);
      const location = response.headers.get('location');
      if (location === null) return { url, status: response.status, text: await response.text() };
      url = new URL(location, url);
      if (url.pathname === '/console') return { url, status: 0, text: '' };
    }
    throw new Error('too many redirects');
  }

  /** Goes to the page of the console. @returns the id of the request. */
  async open(authorizationUrl: URL | null): Promise<string> {
    const { url, text } = await this.visit(authorizationUrl ?? '');
    const id = new URLSearchParams(url.hash.slice(1)).get('authorize');
    if (id === null) throw new Error(`no request at ${url.href} ${text}`);
    return id;
  }

  async shown(id: string): Promise<ShownRequest> {
    const response = await this.send(new URL(`/oauth/consent/${id}/request`, this.publicUrl));
    return (await response.json()) as ShownRequest;
  }

  /** The answer of the user, with the key of the session. */
  answer(id: string, key: string | null, body: object): Promise<Response> {
    const headers = {
      'content-type': 'application/json',
      ...(key !== null && { authorization: `Bearer ${key}` }),
    };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return this.send(new URL(`/oauth/consent/${id}`, this.publicUrl), init);
  }

  /** Says yes, and goes on. @returns where the assistant gets the answer. */
  async allow(id: string, key: string, body: object = {}): Promise<URL> {
    const response = await this.answer(id, key, { allow: true, ...body });
    return this.goOn(response);
  }

  async goOn(response: Response): Promise<URL> {
    const { redirect_to: next } = (await response.json()) as { redirect_to?: string };
    if (next === undefined) throw new Error(`refused: ${response.status}`);
    return (await this.visit(next)).url;
  }

  private async send(url: URL, init: RequestInit = {}): Promise<Response> {
    const sent = [...this.cookies].filter(([, { path }]) =>
      `${url.pathname}/`.startsWith(`${path}/`.replace('//', '/')),
    );
    const cookie = sent.map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; ');
    const response = await this.fetch(url.href, {
      ...init,
      headers: { ...(init.headers as object), cookie },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
      const path = /path=([^;]+)/i.exec(rest)?.[1] ?? '/';
      this.cookies.set(`${name} ${path}`, { value, path });
    }
    return response;
  }
}
