import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { NewKeyResponse } from '../../../src/modules/identity/api-keys/api-keys.dto.js';
import type { ClientRun } from '../../support/clients/client-runs.js';
import { GENERATED_PYTHON_PROGRAM } from '../../support/clients/generated-python-program.js';
import { freePort } from '../../support/processes/free-port.js';
import { aProof, aPublishableKey } from '../../support/app/publishable.js';
import { PythonProject } from '../../support/clients/python.js';
import { readmePrograms } from '../../support/clients/readme-programs.js';
import { WebhookApp } from '../../support/webhooks/webhook-app.js';
import { abortRequest } from '../../support/webhooks/aborted-request.js';

const TESTS = join(import.meta.dirname, '../../../clients/python/tests');
/** Run at the same time. */
const MODULES = [
  'test_faults',
  'test_webhooks',
  'test_service',
  'test_outcomes',
  'test_policy',
  'test_schedules',
  'test_proofs',
];
const TOOL_MS = 60_000;

const project = await PythonProject.create();
/** The optional packages of `verify_proof`. */
const hasJwt = (await project?.add('PyJWT[crypto]>=2.8,<3')) === true;
const hasGenerator = (await project?.add('openapi-python-client==0.29.1')) === true;

(project === null ? describe.skip : describe)('the Python client, installed from its wheel', () => {
  let world: WebhookApp;
  let account: NewAccount;
  let programs: Map<string, string>;
  let runs: Map<string, ClientRun>;

  beforeAll(async () => {
    [world, programs] = await Promise.all([
      WebhookApp.start(),
      readmePrograms('clients/python/README.md', 'python'),
      project!.install(),
    ]);
    account = await world.app.anAccount();
    runs = new Map(
      MODULES.map((name) => [name, start(['-m', 'unittest', '-v', name], { PYTHONPATH: TESTS })]),
    );
  }, TOOL_MS);
  afterAll(async () => {
    await project?.remove();
    await world.stop();
  });

  const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}): ClientRun =>
    project!.start(args, {
      RCPT_URL: world.app.url,
      RCPT_API_KEY: account.testKey,
      RCPT_LIVE_API_KEY: account.liveKey,
      ...env,
    });
  /** Starts a program of the README. */
  const startProgram = (heading: string, env?: NodeJS.ProcessEnv) =>
    start(['-c', programs.get(heading) ?? 'raise Exception("not in the README")'], env);

  it.each(MODULES)(
    'passes the tests of %s',
    async (name) => {
      if (name === 'test_proofs' && !hasJwt) return;
      const lines = await runs.get(name)?.lines(world.app);
      expect(lines?.at(-1)).toBe('OK');
    },
    TOOL_MS,
  );

  it('has types and the version of its package', async () => {
    const code =
      'import importlib.metadata as m, importlib.resources as r, rcpt; print(m.version("rcpt") == rcpt.__version__, m.requires("rcpt"), (r.files("rcpt") / "py.typed").is_file())';
    expect(await start(['-c', code]).lines()).toEqual([
      `True ['httpx >=0.24,<1', 'PyJWT[crypto] >=2.8,<3 ; extra == "proofs"'] True`,
    ]);
  });

  describe('the program of the README', () => {
    it.each<[string, unknown[]]>([
      [
        'Verify addresses',
        [
          'undeliverable mailbox_not_found None',
          'jane@example.com deliverable accepted_email',
          'joe+catch_all@example.com risky catch_all',
          'not an address undeliverable invalid_syntax',
        ],
      ],
      ['Verify a list', ['2 of 2', 'completed', "0 jane@example.com {'id': '7'}"]],
      ['asyncio', ['deliverable', 'joe+catch_all@example.com catch_all', 'None deliverable', '17 risky']],
      ['Confirm the proof of a form', ['no valid proof: malformed', 'accept']],
      ['Errors', ['again in 60.0 s']],
      ['All other routes', [expect.stringMatching(/^None \d$/)]],
    ])('"%s" works', async (heading, printed) => {
      await writeFile(
        join(project!.folder, 'list.csv'),
        'id,email\n7,jane@example.com\n8,role@example.com\n',
      );
      const lines = await startProgram(heading).lines(world.app);
      // Progress is printed once or more.
      expect(lines.slice(-printed.length)).toEqual(printed);
    });

    it('"Confirm the proof of a form" works with a proof', async () => {
      const { key } = await aPublishableKey(world.app, account.liveKey, { mode: 'test' });
      const email = 'catch_all@example.com';
      const FORM = String(new URLSearchParams({ email, rcpt_proof: await aProof(world.app, key, email) }));
      expect(await startProgram('Confirm the proof of a form', { FORM }).lines()).toEqual(['review']);
    });

    it('"Keep a list clean" works', async () => {
      const run = startProgram('Keep a list clean', { RCPT_API_KEY: account.liveKey });
      const [first, ...others] = await run.lines();
      expect([first, others.at(0)]).toEqual([
        'queued 0 {}',
        expect.stringMatching(/^Newsletter \d{4}-\d\d-\d\dT04:00:00.000Z$/),
      ]);
    });

    it('"Report what became of mails" works', async () => {
      const run = startProgram('Report what became of mails', { RCPT_API_KEY: account.liveKey });
      const url = expect.stringMatching(/\/inbound\/outcomes\/rcpt_src_[\w-]+$/);
      const groups = expect.stringMatching(/^groups: \d+$/);
      const printed = ["2 ['invalid_email']", 'bounced', groups, 'bounced 550', url, "['postmark']"];
      expect(await run.lines()).toEqual(printed);
    });

    it('"Webhooks" receives webhooks that this service sends, refuses others, and survives a sender that aborts', async () => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/hooks`;
      const webhook = await world.aWebhook(account.liveKey, url, { events: ['webhook.test'] });
      const env = { PORT: String(port), RCPT_WEBHOOK_SECRET: `whsec_b2xk,${webhook.secret}` };
      const run = startProgram('Webhooks', env);
      try {
        await run.said('listening');
        await abortRequest(url);
        await world.aTest(webhook, account);
        await world.send();
        await run.said(webhook.id);
        expect(await world.deliveries(webhook, account)).toMatchObject([{ status: 'succeeded' }]);
        expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
      } finally {
        await run.kill();
      }
    });
  });

  const itWithGenerator = hasGenerator ? it : it.skip;
  itWithGenerator(
    'is not the only one: openapi-python-client with its default options generates one that sends each body and reads each response',
    async () => {
      const { app } = world;
      await writeFile(join(project!.folder, 'openapi.json'), (await app.get('/openapi.json')).text);
      const options = ['--path', 'openapi.json', '--output-path', 'generated', '--meta', 'none'];
      const warnings = await start(['-m', 'openapi_python_client', 'generate', ...options]).lines();
      // It knows JSON and files.
      expect(warnings.filter((line) => /^(WARNING|ERROR|Unable|Unsupported)/.test(line))).toEqual([
        'WARNING parsing POST /v1/verify/bulk within bulk.',
        'Unsupported content type text/csv',
        'WARNING parsing POST /v1/verify/bulk within bulk.',
        'Unsupported content type application/x-ndjson',
        'WARNING parsing POST /v1/outcomes within outcomes.',
        'Unsupported content type text/csv',
        'WARNING parsing POST /v1/outcomes within outcomes.',
        'Unsupported content type application/x-ndjson',
        'WARNING parsing POST /v1/outcomes within outcomes.',
        'Unsupported content type message/rfc822',
      ]);
      const created = await app.post('/v1/keys', account.liveKey).send({
        name: 'Form',
        mode: 'test',
        kind: 'publishable',
        allowed_origins: ['https://www.example.com'],
      });
      const keys = [account.testKey, account.liveKey, (created.body as NewKeyResponse).key ?? ''];
      const program = start(['-c', GENERATED_PYTHON_PROGRAM, app.url, ...keys]);
      expect(await program.lines(app)).toEqual([
        'Verdict mailbox_not_found 550',
        'Verdict catch_all',
        "Verdicts ['accepted_email', 'invalid_syntax']",
        'BulkJob 2',
        'UnfinishedBulkResult 0 jane@example.com None None',
        'UnfinishedBulkResult 1 disposable@example.com 17 None',
        'FinishedBulkResult 0 jane@example.com None deliverable',
        'FinishedBulkResult 1 disposable@example.com 17 risky',
        'BulkJob 1',
        "FinishedBulkResult 0 jane@example.com {'id': '7'} deliverable",
        'NewKey live None',
        'ReducedVerdict role',
      ]);
    },
    TOOL_MS,
  );
});
