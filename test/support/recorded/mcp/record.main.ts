import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as ask } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { ConsentBrowser } from '../../oauth/consent-browser.js';
import { stableRequest, type RecordedRequest } from './recording.js';

const HELP = `Records what an assistant sends to this service, in ${import.meta.dirname}/NAME.json.

  npm run ts test/support/recorded/mcp/record.main.ts NAME PORT KEY PROGRAM COMMAND…

  npm run ts test/support/recorded/mcp/record.main.ts mcp-remote 8025 rcpt_live_… 'mcp-remote 0.1.38' \\
    node node_modules/mcp-remote/dist/proxy.js URL 3335 --allow-http

A service of your own listens on 127.0.0.1:PORT, with PUBLIC_URL=http://127.0.0.1:8026; KEY is a live key of it. URL in the
command is where the assistant finds the service. The script stands between the two and is the browser of the user; the
assistant writes the address that the browser has to open to standard error.
`;
const PUBLIC_PORT = 8026;
const PUBLIC_URL = `http://127.0.0.1:${PUBLIC_PORT}`;
const PATIENCE_MS = 30_000;

const [name, port, key, program, command, ...parameters] = process.argv.slice(2);
if (
  name === undefined ||
  port === undefined ||
  key === undefined ||
  program === undefined ||
  command === undefined
) {
  process.stderr.write(HELP);
  process.exit(64);
}

const requests: RecordedRequest[] = [];
const between = createServer((request, response) => {
  void buffer(request).then((body) => {
    const { method = '', url: path = '', headers } = request;
    const passed = ask({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      const status = answer.statusCode ?? 502;
      requests.push(stableRequest({ method, path, headers, body: body.toString(), status }));
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    passed.end(body);
  });
});
between.listen(PUBLIC_PORT, '127.0.0.1');
await once(between, 'listening');

const home = await mkdtemp(join(tmpdir(), 'assistant-'));
const assistant = spawn(
  command,
  parameters.map((parameter) => (parameter === 'URL' ? `${PUBLIC_URL}/mcp` : parameter)),
  { env: { PATH: process.env.PATH ?? '', HOME: home }, stdio: 'pipe' },
);
let said = '';
assistant.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
const say = (message: object) => assistant.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
try {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  };
  say({ id: 1, method: 'initialize', params });
  const url = new URL(await authorizationUrl());
  requests.push({ method: 'BROWSER', path: stableUrl(new URL(url)), headers: {}, body: null, status: 302 });
  // Its requests are none of the assistant.
  const browser = new ConsentBrowser({ url: `http://127.0.0.1:${port}` }, new Map(), PUBLIC_URL);
  const id = await browser.open(url);
  await fetch(await browser.allow(id, key));
  await until(() => requests.some(({ path, status }) => path === '/mcp' && status === 200));
  say({ method: 'notifications/initialized' });
  say({ id: 2, method: 'tools/list' });
  await pause(3_000);
} finally {
  assistant.kill();
  between.closeAllConnections();
  between.close();
  await rm(home, { recursive: true, force: true });
}
const file = join(import.meta.dirname, `${name}.json`);
const lines = requests.map((request) => JSON.stringify(request)).join(',\n');
await writeFile(file, `{\n"program": "${program}",\n"requests": [\n${lines}\n]\n}\n`);
process.stdout.write(`${file}\n`);
process.exit();

/** It is written to standard error too. */
async function authorizationUrl(): Promise<string> {
  const found = () => /http:\/\/\S+\/oauth\/authorize\?\S+/.exec(said)?.[0];
  await until(() => found() !== undefined);
  const url = found();
  if (url === undefined) throw new Error('It asks for no authorization');
  return url;
}

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS && !holds(); waited += 100) await pause(100);
}

/** Without what each run makes anew. */
function stableUrl(url: URL): string {
  for (const made of ['client_id', 'state', 'code_challenge'])
    if (url.searchParams.has(made)) url.searchParams.set(made, made.toUpperCase());
  return `${url.pathname}${url.search}`;
}
