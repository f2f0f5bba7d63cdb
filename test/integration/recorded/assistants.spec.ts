import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { anApp, type TestApp } from '../../support/app/app.js';
import { ConsentBrowser } from '../../support/oauth/consent-browser.js';
import { mcpRecordingOf, type RecordedRequest } from '../../support/recorded/mcp/recording.js';

/** As the recordings have it. */
const PUBLIC_URL = 'http://127.0.0.1:8026';
const VERIFIER = 'a-verifier-that-has-at-least-forty-three-characters';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await anApp({ PUBLIC_URL });
  key = (await app.anAccount()).liveKey;
});
afterAll(() => app.stop());

/** The values that each run makes anew, by what the recordings have in their place. */
type MadeAnew = Record<'CLIENT_ID' | 'CODE' | 'CODE_VERIFIER' | 'CODE_CHALLENGE' | 'STATE' | 'TOKEN', string>;

describe.each(['mcp-remote-0.1', 'mcp-remote-0.15'])('the requests of %s', (name) => {
  it('are answered with the statuses that were recorded, up to the list of tools', async () => {
    const made: MadeAnew = {
      ...{ CLIENT_ID: '', CODE: '', TOKEN: '', STATE: 'a-state', CODE_VERIFIER: VERIFIER },
      CODE_CHALLENGE: createHash('sha256').update(VERIFIER).digest('base64url'),
    };
    const { requests } = mcpRecordingOf(name);
    for (const request of requests)
      if (request.method === 'BROWSER') made.CODE = await consent(withMade(request.path, made));
      else {
        const { status, body } = await send(request, made);
        expect([request.method, request.path, status]).toEqual([
          request.method,
          request.path,
          request.status,
        ]);
        made.CLIENT_ID ||= (body as { client_id?: string }).client_id ?? '';
        made.TOKEN ||= (body as { access_token?: string }).access_token ?? '';
      }
    expect(requests.at(-1)).toBeDefined();
    expect(requests.some(({ body }) => (body as { method?: string } | null)?.method === 'tools/list')).toBe(
      true,
    );
  });
});

async function consent(path: string): Promise<string> {
  const browser = new ConsentBrowser(app, new Map(), PUBLIC_URL);
  const id = await browser.open(new URL(path, PUBLIC_URL));
  return (await browser.allow(id, key)).searchParams.get('code') ?? '';
}

async function send({ method, path, headers, body }: RecordedRequest, made: MadeAnew) {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  const text = isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body);
  const response = await fetch(`${app.url}${path}`, {
    method,
    headers: Object.fromEntries(
      Object.entries(headers).map(([header, value]) => [header, withMade(value, made)]),
    ),
    body: body === null ? null : withMade(text, made),
  });
  const answer = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, body: isJson ? (JSON.parse(answer) as unknown) : {} };
}

function withMade(text: string, made: MadeAnew): string {
  return text.replaceAll(
    /\b(?:CLIENT_ID|CODE_VERIFIER|CODE_CHALLENGE|CODE|STATE|TOKEN)\b/g,
    (word) => made[word as keyof MadeAnew],
  );
}
