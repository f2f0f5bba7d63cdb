import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COUNTERS, GAUGES, HISTOGRAMS } from '../../../src/kernel/meter.js';
import { REASONS, STATUSES, STATUS_OF, type Checks } from '../../../src/kernel/verdict.js';
import { readTiersFile } from '../../../src/modules/identity/tiers/adapters/tiers-file.js';
import { DEFAULT_TIERS } from '../../../src/modules/identity/tiers/domain/tier.js';
import { EVENT_TYPES } from '../../../src/modules/events/webhooks/events/events.dto.js';
import { ATTEMPT_ERRORS } from '../../../src/modules/events/webhooks/domain/delivery.js';
import { DISABLED_REASONS } from '../../../src/modules/events/webhooks/domain/webhook.js';
import { connectionsOf } from '../../../src/platform/database/data-source.js';
import { QUEUE_CONNECTIONS } from '../../../src/platform/queue/postgres-queue-backend.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { DEFAULT_NUMBERS, VARIABLES } from '../../support/app/environment.js';
import { score } from '../../../src/engine/score.js';

const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs/api.md',
  'docs/benchmark.md',
  'docs/coming-from-reacher.md',
  'docs/console.md',
  'docs/installation.md',
  'docs/library.md',
  'docs/mail-servers.md',
  'docs/mcp.md',
  'docs/operations.md',
  'docs/policy.md',
  'docs/releasing.md',
  'docs/upgrading.md',
  'docs/stored-data.md',
  'docs/tiers.md',
  'docs/scaling.md',
  'docs/security.md',
  'docs/states.md',
  'docs/webhooks.md',
  'docs/decisions.md',
  'docs/accuracy.md',
  ...[
    'signup-form',
    'nextjs',
    'django',
    'laravel',
    'n8n-zapier',
    'nightly-cleaning',
    'amazon-ses',
    'sendgrid',
    'postmark',
    'more-providers',
    'postfix',
    'postfix-policy',
    'supabase',
    'auth0',
  ].map((name) => `docs/recipes/${name}.md`),
  'clients/typescript/README.md',
  'clients/python/README.md',
  ...readdirSync(new URL('../../../docs/decisions', import.meta.url)).map((name) => `docs/decisions/${name}`),
];

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** The cells of every row of a Markdown table. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));

const quoted = (text: string) => [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name);

/** The anchor that GitHub derives from a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const all = new Map<string, string>();
let app: TestApp;
beforeAll(async () => {
  for (const page of PAGES) all.set(page, await read(page));
  app = await anApp();
});
afterAll(() => app.stop());

const page = (name: string) => all.get(name) ?? '';

describe('the documents', () => {
  it('have only links that resolve', () => {
    const broken = PAGES.flatMap((from) =>
      [...page(from).matchAll(/\]\((?!https?:)([^)#]*)(#[^)]*)?\)/g)].flatMap(([link, path = '', anchor]) => {
        const to = new URL(path, `file:///${from}`).pathname.slice(1);
        const anchors = [...page(to).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
        return page(to) === '' || (anchor && !anchors.includes(anchor.slice(1))) ? [`${from}: ${link}`] : [];
      }),
    );
    expect(broken).toEqual([]);
  });

  it('name only routes that exist', async () => {
    const { paths } = (await app.get('/openapi.json')).body as OpenAPIObject;
    const there = new Set(
      Object.entries(paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
      ),
    );
    // Other protocols than that of the document, and the pages of a browser.
    const others = ['POST /mcp', 'POST /oauth/register', 'POST /oauth/revoke', 'GET /signin/oidc'];
    const reacher = ['POST /v0/check_email', 'POST /v1/check_email', 'POST /v1/bulk'];
    const reads = ['GET /v1/bulk/{job_id}', 'GET /v1/bulk/{job_id}/results'];
    for (const route of [...others, ...reacher, ...reads]) there.add(route);
    const named = PAGES.flatMap((from) =>
      [...page(from).matchAll(/\b((?:GET|POST|PATCH|DELETE)(?:`?, `?[A-Z]+)*)`? (\/[^\s`?)]*)/g)].flatMap(
        ([, methods = '', path = '']) => methods.split(/\W+/).map((method) => `${method} ${path}`),
      ),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((route) => !there.has(route))).toEqual([]);
  });

  it('name each error code with its actual status', async () => {
    const named = PAGES.flatMap((from) => [...page(from).matchAll(/\b([45]\d\d) `([a-z_]+)`/g)]).map(
      ([, status, code]) => `${status} ${code}`,
    );
    const { text } = await app.get('/docs/errors');
    const known = new Set(
      [...text.matchAll(/<code>([a-z_]+)<\/code><\/a> <small>(\d+)</g)].map(
        ([, code, status]) => `${status} ${code}`,
      ),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('examples', () => {
  /** The first that has several lines. */
  const exampleOf = (name: string) =>
    JSON.parse(/```json\n(\{\n[^]*?)```/.exec(page(name))?.[1] ?? '') as Record<string, unknown>;

  it('of a verdict match the response to a test key', async () => {
    const { testKey } = await app.anAccount();
    const { body } = (await app.get('/v1/verify?email=mailbox_not_found@example.com', testKey)) as {
      body: Record<string, unknown>;
    };
    const moment = { verified_at: body.verified_at, duration_ms: body.duration_ms };
    expect({ ...exampleOf('docs/api.md'), ...moment }).toEqual(body);
    expect(body).toMatchObject(exampleOf('README.md'));
  });

  it('of a tier table are accepted at start', async () => {
    const tiers = exampleOf('docs/tiers.md');
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-docs-'));
    const file = join(folder, 'tiers.json');
    await writeFile(file, JSON.stringify(tiers));
    const table = await readTiersFile(file).finally(() => rm(folder, { recursive: true }));
    expect(table.map(({ name }) => name)).toEqual(Object.keys(tiers));
  });
});

describe('docs/api.md', () => {
  it('lists every reason, with its status and score', () => {
    const statuses = new Set<string>(STATUSES);
    const none = { role: false, noReply: false, catchAll: false } as Checks;
    const told = rowsOf(page('docs/api.md'))
      .filter(([status = '', , , worth]) => statuses.has(status) && worth !== undefined)
      .flatMap(([status, reasons = '', , worth = '']) =>
        quoted(reasons).map((reason) => [reason, status, parseInt(worth, 10)]),
      );
    const so = REASONS.map((reason) => [reason, STATUS_OF[reason], score(reason, none)]);
    expect(new Set(told.map(String))).toEqual(new Set(so.map(String)));
  });

  it('explains what to do for every unknown reason', () => {
    const [, after = ''] = page('docs/api.md').split('What helps depends on the reason:');
    const [table = ''] = after.trim().split('\n\n');
    const told = rowsOf(table).flatMap(([reasons = '']) => quoted(reasons));
    expect(told.sort()).toEqual(REASONS.filter((reason) => STATUS_OF[reason] === 'unknown').sort());
  });

  it('has the built-in tier table', () => {
    const number = (n: number | null) => (n === null ? 'no limit' : n.toLocaleString('en-US'));
    const flag = (included: boolean) => (included ? 'yes' : 'no');
    const so = DEFAULT_TIERS.map(
      ({
        name,
        perDay,
        rate,
        verify,
        domains,
        refresh,
        minMaxAge,
        bulkLimit,
        schedules,
        retentionDays,
        ...undocumented
      }) => {
        expect(undocumented).toEqual({});
        const speed = rate === null ? 'no limit' : `${rate.perSecond} / ${rate.burst}`;
        const lists = bulkLimit === 0 ? 'no' : number(bulkLimit);
        const age = refresh ? 'yes' : `${number(minMaxAge)} s`;
        const kept = `${retentionDays} d`;
        const first = [`\`${name}\``, number(perDay), speed, flag(verify), flag(domains), age];
        return [...first, lists, flag(schedules), kept];
      },
    );
    const names = so.map(([name]) => name);
    expect(rowsOf(page('docs/api.md')).filter(([name]) => names.includes(name ?? ''))).toEqual(so);
  });
});

describe('docs/installation.md', () => {
  it('lists every variable, with its default where that is a number', () => {
    const rows = rowsOf(page('docs/installation.md')).filter(([name = '']) => /^`[A-Z][A-Z_]+`/.test(name));
    const told = new Map(
      rows.flatMap(([names = '', , standard = '']) => quoted(names).map((name) => [name, standard])),
    );
    expect([...told.keys()].sort()).toEqual([...VARIABLES].sort());
    const otherwise = [...DEFAULT_NUMBERS].filter(([name, number]) => !told.get(name)?.includes(`${number}`));
    expect(otherwise).toEqual([]);
  });
});

describe('docs/operations.md', () => {
  it('counts the connections of a process', () => {
    const connections = rowsOf(page('docs/operations.md')).filter(([what = '']) =>
      /^(all except|the queue|sum)/.test(what),
    );
    const [rest, queue, sum] = connections.map((row) => row.slice(1).map(Number));
    const [api, worker] = [
      { api: true, worker: false },
      { api: false, worker: true },
    ];
    const both = { api: true, worker: true };
    expect(rest).toEqual([api, worker, both].map(connectionsOf));
    expect(queue).toEqual([api, worker, both].map(() => QUEUE_CONNECTIONS));
    expect(sum).toEqual(rest?.map((n) => n + QUEUE_CONNECTIONS));
  });

  it('lists every metric', () => {
    const told = rowsOf(page('docs/operations.md')).flatMap(([names = '']) =>
      quoted(names).filter((name) => /^(rcpt|http|dns)_/.test(name)),
    );
    expect(told.sort()).toEqual(Object.keys({ ...COUNTERS, ...HISTOGRAMS, ...GAUGES }).sort());
  });
});

describe('docs/webhooks.md', () => {
  it('lists every event type', async () => {
    const { webhooks } = (await app.get('/openapi.json')).body as { webhooks: object };
    const [, after = ''] = page('docs/webhooks.md').split('| type | when |');
    const told = rowsOf(after.split('\n\n')[0] ?? '').flatMap(([types = '']) => quoted(types));
    const whole = told.map((type) => (type.startsWith('.') ? `bulk_job${type}` : type));
    expect(whole.sort()).toEqual(Object.keys(webhooks).sort());
  });

  it('lists every action of the audit log', async () => {
    const source = fileURLToPath(new URL('../../../src/modules', import.meta.url));
    const files = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.service.ts'));
    const writing = (await Promise.all(files.map((name) => readFile(join(source, name), 'utf8')))).filter(
      (text) => text.includes('audit.record('),
    );
    const named = new Set(writing.flatMap((text) => text.match(/(?<=')[a-z]+\.[a-z_]+(?=')/g) ?? []));
    const [, after = ''] = page('docs/api.md').split('| Objects | Actions |');
    const told = rowsOf(after.split('\n\n')[0] ?? '').flatMap(([, actions = '']) => quoted(actions));
    const events: readonly string[] = EVENT_TYPES;
    expect(told.filter((action) => !named.has(action))).toEqual([]);
    expect([...named].filter((name) => !told.includes(name) && !events.includes(name))).toEqual([]);
  });

  it('lists every attempt error, and every reason to disable a webhook', () => {
    const [, after = ''] = page('docs/webhooks.md').split('| `error` of an attempt | means |');
    const told = rowsOf(after.split('\n\n')[0] ?? '').flatMap(([errors = '']) => quoted(errors));
    expect(told.sort()).toEqual(Object.keys(ATTEMPT_ERRORS).sort());
    expect(quoted(page('docs/webhooks.md'))).toEqual(expect.arrayContaining([...DISABLED_REASONS]));
  });
});
