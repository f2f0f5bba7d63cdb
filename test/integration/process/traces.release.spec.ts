import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { BulkFleet, type FleetAccount } from '../../support/processes/bulk-fleet.js';
import { installedTools } from '../../support/processes/installed-tools.js';
import { TraceCollector } from '../../support/processes/trace-collector.js';

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
/** The trace of a client, and the span of its call. */
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALL = 'b7ad6b7169203331';

const [, section = ''] = /^## Traces\n(.*?)^## /ms.exec(await read('docs/operations.md')) ?? [];
const [, loader = ''] = /(@opentelemetry\/auto-instrumentations-node@[\d.]+)$/m.exec(section) ?? [];
/** The loader is no dependency of this repository: it has 148 packages. */
const tools = await installedTools([loader]);

it('the documents name a version of the loader', () => expect(loader).not.toBe(''));

it('the documented command keeps the packages of the embedded PostgreSQL, which are optional', async () => {
  const { optionalDependencies } = JSON.parse(await read('package.json')) as {
    optionalDependencies: Record<string, string>;
  };
  expect(Object.keys(optionalDependencies)).not.toEqual([]);
  const [command = ''] = /^\$ npm install .*$/m.exec(section) ?? [];
  expect(command).toContain(loader);
  // npm takes these for the whole directory.
  expect(command).not.toMatch(/--(?:omit|no)[= -]optional|--production|--only/);
});

(tools === null ? describe.skip : describe)('with the loader of OpenTelemetry as documented', () => {
  let collector: TraceCollector;
  let fleet: BulkFleet;
  let account: FleetAccount;
  beforeAll(async () => {
    const [, variables = ''] = /^```ini\n(.*?)^```/ms.exec(section) ?? [];
    const env = Object.fromEntries(
      [...variables.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    ) as Record<string, string>;
    collector = await TraceCollector.start();
    const [, register = ''] = /^--import=(.*)$/.exec(env.NODE_OPTIONS ?? '') ?? [];
    env.NODE_OPTIONS = `--import=${tools!.url(register)}`;
    fleet = await BulkFleet.start('PostgreSQL', 1, { ...env, ...collector.env });
    account = await fleet.anAccount('unlimited');
  }, 60_000);
  afterAll(async () => {
    await fleet.stop();
    collector.stop();
    await tools?.remove();
  });

  it('a trace leads from the client through the API to the worker that verifies the list', async () => {
    const response = await fetch(`${fleet.url}/v1/verify/bulk`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${account.test_key}`,
        'Content-Type': 'application/json',
        traceparent: `00-${TRACE}-${CALL}-01`,
      },
      body: JSON.stringify({ emails: ['jane@example.com', 'joe@example.com'] }),
    });
    expect(response.status).toBe(202);
    const submission = await collector.find(({ name }) => name === 'POST /v1/verify/bulk');
    expect(submission).toMatchObject({ traceId: TRACE, parentSpanId: CALL });
    const chunk = await collector.find(({ name }) => name === 'verify chunk');
    expect(chunk).toMatchObject({ traceId: TRACE, parentSpanId: submission.spanId });
    const query = await collector.find(({ parentSpanId }) => parentSpanId === chunk.spanId);
    expect(query).toMatchObject({ traceId: TRACE, name: expect.stringMatching(/^pg/) });
  }, 60_000);

  it('no span of a request has an address or a token', async () => {
    const headers = { Authorization: `Bearer ${account.test_key}` };
    await fetch(`${fleet.url}/v1/verify?email=jane@example.com`, { headers });
    await fetch(`${fleet.url}/inbound/outcomes/a-token-of-a-source`, { method: 'POST' });
    await fetch(`${fleet.url}/nowhere/a-token-of-a-source?email=jane@example.com`);
    await collector.find(({ name }) => name === 'GET /v1/verify');
    await collector.find(({ name }) => name === 'POST /inbound/outcomes/:token');
    await collector.find(({ name }) => name === 'GET');
    const all = JSON.stringify(collector.spans);
    for (const secret of ['jane', 'a-token', account.test_key, account.live_key])
      expect(all).not.toContain(secret);
  }, 60_000);
});
