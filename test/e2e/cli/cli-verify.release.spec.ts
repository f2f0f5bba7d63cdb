import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const EX_CONFIG = 78;
/** What takes longer to load than the engine. */
const LARGE = /\/(@nestjs|typeorm|pg|ioredis|bullmq|express|stripe|prom-client|pino|class-[a-z]+)\/|swagger/;

describe('rcpt verify', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rcpt-verify-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** The files that the command loads. */
  async function loadedBy(...args: string[]): Promise<string[]> {
    const coverage = await mkdtemp(join(folder, 'coverage-'));
    const cli = RcptProcess.run(['../bin/rcpt.js', 'verify', ...args], { NODE_V8_COVERAGE: coverage });
    await cli.exit();
    const [report = ''] = await readdir(coverage);
    const { result } = JSON.parse(await readFile(join(coverage, report), 'utf8')) as {
      result: { url: string }[];
    };
    return result.map(({ url }) => url);
  }

  it.each([[['notanaddress']], [['notanaddress', '--json']]])(
    'loads the engine and no framework, database or list for what needs no network: %j',
    async (args) => {
      const loaded = await loadedBy(...args);
      expect(loaded.some((url) => url.endsWith('/dist/engine/engine.js'))).toBe(true);
      expect(loaded.filter((url) => LARGE.test(url))).toEqual([]);
      expect(loaded.filter((url) => /\/(mailchecker|disposable-email-domains-js)\//.test(url))).toEqual([]);
    },
  );

  it('reads the file of providers that the service reads, and refuses a wrong one', async () => {
    const file = join(folder, 'providers.json');
    await writeFile(file, '{"google": {"connections": 0}}');
    const { code, out, err } = await runRcpt(['verify', 'notanaddress'], { PROVIDERS_FILE: file });
    expect([code, out]).toEqual([EX_CONFIG, '']);
    expect(err).toMatch(/^rcpt: PROVIDERS_FILE .*google\.connections must be a whole number from 1 to 1000/);
  });

  it('refuses ceilings of a provider that is not in the table', async () => {
    const { code, err } = await runRcpt(['verify', 'notanaddress'], { EGRESS_WARMUP: 'nobody:5' });
    expect([code, err]).toEqual([
      EX_CONFIG,
      expect.stringMatching(/^rcpt: EGRESS_WARMUP must name providers of this list: /),
    ]);
  });
});
