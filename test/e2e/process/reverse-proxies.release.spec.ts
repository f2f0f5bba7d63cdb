import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { anApp, type TestApp } from '../../support/app/app.js';
import { answerOf, responseTo, ReverseProxy } from '../../support/processes/reverse-proxy.js';

const CSV = { 'Content-Type': 'text/csv' };
const JSON_BODY = { 'Content-Type': 'application/json' };
/** What the longest list may have. */
const LONGEST_BYTES = 512_000_000;
const ROWS = 20_000;

for (const kind of ['nginx', 'Caddy'] as const) {
  (ReverseProxy.kinds[kind].isThere ? describe : describe.skip)(
    `behind ${kind} with its file of deploy/`,
    () => {
      let app: TestApp;
      let proxy: ReverseProxy;
      let key: Record<string, string>;
      beforeAll(async () => {
        app = await anApp({ SIGNUP: 'open', SIGNUP_PER_HOUR: '2', TRUST_PROXY: '127.0.0.1' });
        proxy = await ReverseProxy.start(kind, app.url);
        key = { Authorization: `Bearer ${(await app.anAccount()).testKey}` };
      });
      afterAll(async () => {
        await proxy.stop();
        await app.stop();
      });

      it('a list is uploaded, and read to its end', async () => {
        const rows = Array.from({ length: ROWS }, (_, row) => `jane${row}@example.com,${'x'.repeat(100)}`);
        const list = `email,note\n${rows.join('\n')}\n`;
        const { status, body } = await proxy.post('/v1/verify/bulk', list, { ...key, ...CSV });
        expect([status, (JSON.parse(body) as { total: number }).total]).toEqual([202, ROWS]);
      });

      it('the beginning of the longest list is read before its end, and a longer one is refused', async () => {
        const upload = (bytes: number) => {
          const headers = { ...key, ...CSV, 'Content-Length': String(bytes) };
          const sent = proxy.open('/v1/verify/bulk', { method: 'POST', headers });
          // The connection is closed before the body has been sent.
          sent.on('error', () => undefined);
          sent.write('%PDF-1.7\n'.padEnd(200_000));
          return answerOf(sent).finally(() => sent.destroy());
        };
        const { status, body } = await upload(LONGEST_BYTES);
        expect([status, body]).toEqual([400, expect.stringContaining('This is a PDF document')]);
        expect((await upload(2 * LONGEST_BYTES)).status).toBe(413);
      });

      it('each event of a list arrives while the stream is open', async () => {
        const { body } = await proxy.post('/v1/verify/bulk', 'email\njane@example.com\n', { ...key, ...CSV });
        const { id } = JSON.parse(body) as { id: string };
        const opened = proxy.open(`/v1/bulk-jobs/${id}/events`, { headers: key });
        opened.end();
        const states: string[] = [];
        for await (const line of createInterface(await responseTo(opened))) {
          if (!line.startsWith('data: ')) continue;
          states.push((JSON.parse(line.slice('data: '.length)) as { status: string }).status);
          if (states.length === 1) await app.post(`/v1/bulk-jobs/${id}/cancel`, key.Authorization?.slice(7));
        }
        expect(states).toEqual(['queued', 'canceled']);
      });

      it('the address of a client counts for limits, and one that it claims to have does not', async () => {
        let people = 0;
        const signUp = async (from: string, claimed: Record<string, string> = {}) => {
          const body = JSON.stringify({ email: `person${++people}@team.example`, team_name: 'A team' });
          return (await proxy.post('/signup', body, { ...JSON_BODY, ...claimed }, from)).status;
        };
        expect([await signUp('127.0.0.2'), await signUp('127.0.0.2')]).toEqual([201, 201]);
        expect(await signUp('127.0.0.2')).toBe(429);
        expect(await signUp('127.0.0.2', { 'X-Forwarded-For': '198.51.100.9' })).toBe(429);
        expect(await signUp('127.0.0.2', { Forwarded: 'for=198.51.100.9' })).toBe(429);
        expect(await signUp('127.0.0.3', { 'X-Forwarded-For': '127.0.0.2' })).toBe(201);
      });

      it('no log of the proxy has an address of a query', async () => {
        const asked = proxy.open('/v1/verify?email=jane@example.com', { headers: key });
        asked.end();
        expect((await answerOf(asked)).status).toBe(200);
        const log = await readFile(join(proxy.folder, 'rcpt.log'), 'utf8').catch(() => '');
        expect(log).not.toContain('jane');
        if (kind === 'nginx') expect(log).toContain('"GET /v1/verify" 200');
      });
    },
  );
}
