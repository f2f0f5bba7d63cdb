import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { lstat, symlink } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ListFolder } from '../../support/processes/list-folder.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const EX_USAGE = 64;
const EX_SOFTWARE = 70;
const ESCAPES = '\x1b]0;owned\x07\x1b[31m\x1b[2J\u009b31m\u202egpj.exe';
const HOSTILE_FORMAT = { delimiter: ESCAPES, header: 1, column: ESCAPES, encoding: ESCAPES };
const CONTROLS = /(?!\n)[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const INTERNAL = /undefined|not iterable|not a function|ArrayBuffer|Unexpected token/;

describe('a service that is hostile, or is not Rcpt', () => {
  let server: Server;
  let answers: Record<string, (response: ServerResponse) => void>;
  let folder: ListFolder;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      request.resume().on('end', () => {
        const answer = answers[`${request.method} ${path}`];
        if (answer === undefined) response.writeHead(404).end('nothing');
        else answer(response);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    folder = await ListFolder.make();
    await folder.writeList(['jane@example.com']);
  });
  afterEach(() => folder.remove());

  const json = (status: number, value: unknown) => (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const rcpt = (...args: string[]) => {
    const { port } = server.address() as AddressInfo;
    return runRcpt(args, { RCPT_URL: `http://127.0.0.1:${port}`, RCPT_API_KEY: 'rcpt_test_x' });
  };
  const job = (more: object = {}) => ({
    ...{ id: 'job_1', status: 'completed', failure: null, total: 1, processed: 1, deferred: 0 },
    ...{ by_status: { deliverable: 1 }, by_reason: { accepted_email: 1 }, eta_seconds: null },
    ...{ finished_at: '2026-11-26T00:00:00.000Z', next_attempt_at: null, deferred_until: null, ...more },
  });
  const aJob = (more: object = {}) => ({
    'POST /v1/verify/bulk': json(202, job(more)),
    'GET /v1/bulk-jobs/job_1': json(200, job(more)),
  });
  const bulk = () => rcpt('bulk', folder.in('list.csv'), '-o', folder.in('out.csv'));

  it.each([
    ['problem', { 'POST /v1/verify/bulk': json(400, { code: ESCAPES, detail: ESCAPES }) }, EX_USAGE],
    [
      'failure of a job',
      {
        ...aJob({ status: 'failed', failure: ESCAPES, format: HOSTILE_FORMAT }),
        'GET /v1/bulk-jobs/job_1/results': (response: ServerResponse) =>
          void response.end('email,status,reason,score\r\n'),
      },
      0,
    ],
  ])('passes no control characters of a %s to the terminal', async (_, given, code) => {
    answers = given;
    const result = await bulk();
    expect(result.code).toBe(code);
    expect(result.err).toContain('owned');
    expect(result.err + result.out).not.toMatch(CONTROLS);
  });

  it('passes no control characters of a report to the terminal, as text and as JSON', async () => {
    const data = [
      { reason: ESCAPES, provider: ESCAPES, verified: 1, delivered: 1, bounced: 0, complained: 0 },
    ];
    const accuracy = {
      data: data.map((row) => ({ ...row, bounce_rate: null })),
      calibration: { outcomes: 1, brier: null, error: null },
    };
    answers = { 'GET /v1/accuracy': json(200, accuracy) };
    expect((await rcpt('accuracy')).out).not.toMatch(CONTROLS);
    const { out } = await rcpt('accuracy', '--json');
    expect(out).not.toMatch(CONTROLS);
    expect(JSON.parse(out)).toEqual(accuracy);
  });

  it('passes no control characters of the columns of a list to the terminal', async () => {
    await folder.write('list.csv', '"\u202ea","b\u009b31m"\na@example.com,b@example.com\n');
    const { code, err } = await runRcpt(['bulk', folder.in('list.csv')], {});
    expect(code).not.toBe(0);
    expect(err).toContain('--column');
    expect(err).not.toMatch(CONTROLS);
  });

  it.each([
    ['bulk', () => bulk(), { 'POST /v1/verify/bulk': json(202, {}) }],
    ['bulk', () => bulk(), { 'POST /v1/verify/bulk': json(202, null) }],
    ['bulk', () => bulk(), { ...aJob(), 'GET /v1/bulk-jobs/job_1': json(200, { id: 'job_1' }) }],
    ['accuracy', () => rcpt('accuracy'), { 'GET /v1/accuracy': json(200, { data: 5 }) }],
    [
      'accuracy',
      () => rcpt('accuracy'),
      { 'GET /v1/accuracy': json(200, { data: [null], calibration: {} }) },
    ],
    [
      'import',
      () => rcpt('outcomes', 'import', folder.in('list.csv')),
      { 'POST /v1/outcomes': json(200, {}) },
    ],
    [
      'import',
      () => rcpt('outcomes', 'import', folder.in('list.csv')),
      { 'POST /v1/outcomes': json(200, { received: 1, stored: 0, duplicates: 0, ignored: [7] }) },
    ],
  ])('is named by %s where its JSON is another one', async (_, run, given) => {
    answers = given;
    const { code, err } = await run();
    expect([code, err]).toEqual([
      EX_USAGE,
      expect.stringMatching(/127\.0\.0\.1:\d+ responds with 20\d, and is not Rcpt; check --url/),
    ]);
    expect(err).not.toMatch(INTERNAL);
  });

  it('does not fill the disk with results that never end', async () => {
    const chunk = Buffer.alloc(1_000_000, 'x');
    const endless = (response: ServerResponse) => {
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write).writeHead(200);
      write();
    };
    answers = { ...aJob({ total: 1e12 }), 'GET /v1/bulk-jobs/job_1/results': endless };
    const { code, err } = await bulk();
    expect([code, err]).toEqual([
      EX_SOFTWARE,
      expect.stringMatching(/sends more than 2 MB, which is no response of Rcpt/),
    ]);
    expect((await lstat(folder.in('out.csv.part'))).size).toBeLessThan(3_000_000);
  });

  it('has results that replace no file behind a link, and that only this user can read', async () => {
    await folder.write('victim', 'precious');
    await symlink(folder.in('victim'), folder.in('out.csv.part'));
    answers = {
      ...aJob(),
      'GET /v1/bulk-jobs/job_1/results': (response) => void response.end('email,status,reason,score\r\n'),
    };
    expect(await bulk()).toMatchObject({ code: 0, err: '' });
    expect(await folder.text('victim')).toBe('precious');
    expect((await lstat(folder.in('out.csv'))).mode & 0o170777).toBe(0o100600);
  });

  it.each([
    ['http://127.0.0.1:9/v1', 'http://127.0.0.1:9'],
    ['https://rcpt.example/team/v1/', 'https://rcpt.example/team'],
    ['https://rcpt.example/console/lists', 'https://rcpt.example'],
    ['https://rcpt.example/docs', 'https://rcpt.example'],
  ])('has a URL without the path of the API: %s', async (url, base) => {
    const { code, err } = await rcpt('bulk', folder.in('list.csv'), '--url', url);
    expect([code, err]).toEqual([EX_USAGE, expect.stringContaining(`write ${base} `)]);
  });
});
