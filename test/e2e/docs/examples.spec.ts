import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { readConfig } from '../../../src/platform/config/config.js';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { VARIABLES } from '../../support/app/environment.js';
import { codeBlocksOf, commandsIn, typedIn, type CodeBlock } from '../../support/clients/code-blocks.js';
import { argumentsIn, refusal } from '../../support/clients/rcpt-arguments.js';
import { isOnMachine } from '../../support/jest/machine.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { mailboxes } from '../../support/smtp/smtp-behaviours.js';
import { WebhookApp } from '../../support/webhooks/webhook-app.js';

const execFileAsync = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'clients/python/README.md',
  'clients/typescript/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const CLIENTS = 'test/e2e/clients';
/** The test that runs the programs of a page in a language; or `not run: ` and why. */
const RUN_BY: Readonly<Record<string, string>> = {
  'README.md html': 'not run: it is a part of the page of the recipe signup-form',
  'clients/python/README.md python': `${CLIENTS}/client-python.release.spec.ts`,
  'clients/typescript/README.md ts': `${CLIENTS}/client-typescript.release.spec.ts`,
  'docs/library.md js': `${CLIENTS}/package.release.spec.ts`,
  'docs/webhooks.md js': 'test/e2e/webhooks/webhook-docs.spec.ts',
  'docs/webhooks.md python': 'test/e2e/webhooks/webhook-docs.spec.ts',
  'docs/recipes/auth0.md js': `${CLIENTS}/hook-recipes.release.spec.ts`,
  'docs/recipes/django.md python': `${CLIENTS}/recipes.release.spec.ts`,
  'docs/recipes/laravel.md php': 'not run: it needs PHP and Laravel',
  'docs/recipes/more-providers.md lua': 'not run: KumoMTA runs it',
  'docs/recipes/n8n-zapier.md js': `${CLIENTS}/recipes.release.spec.ts`,
  'docs/recipes/n8n-zapier.md javascript': `${CLIENTS}/recipes.release.spec.ts`,
  'docs/recipes/nextjs.md ts': `${CLIENTS}/recipes.release.spec.ts`,
  'docs/recipes/postfix-policy.md js': `${CLIENTS}/hook-recipes.release.spec.ts`,
  'docs/recipes/postmark.md js': 'test/e2e/outcomes/outcome-recipes.release.spec.ts',
  'docs/recipes/sendgrid.md js': 'test/e2e/outcomes/outcome-recipes.release.spec.ts',
  'docs/recipes/signup-form.md html': 'test/e2e/widget/widget-pages.release.spec.ts',
  'docs/recipes/signup-form.md css': 'test/e2e/widget/widget-pages.release.spec.ts',
  'docs/recipes/signup-form.md js': 'test/e2e/widget/widget-pages.release.spec.ts',
  'docs/recipes/supabase.md ts': `${CLIENTS}/hook-recipes.release.spec.ts`,
};
const PROGRAMS = /^(?:js|javascript|ts|python|php|lua|html|css)$/;
/** Files of `deploy/` that a page shows whole, by their language. Tests of their own run or read them. */
const FILES: Readonly<Record<string, string>> = {
  yaml: 'deploy/compose/compose.yaml',
  caddyfile: 'deploy/caddy/Caddyfile',
  nginx: 'deploy/nginx/rcpt.conf',
};
/** What describes and is not run: diagrams are compared in `states.spec.ts`. */
const NO_PROGRAMS = /^(?:text|http|mermaid)$/;

/** Variables of programs of others, and of the command line. */
const OTHER_VARIABLES =
  /^(?:OTEL_|NODE_OPTIONS$|RCPT_URL$|RCPT_API_KEY$|RCPT_PASSPHRASE$|DATABASE$|VERIFY_|NEXT_)/;

// Since Python 3.11.
const hasPython = isOnMachine('Python 3.11', spawnSync('python3', ['-c', 'import tomllib']).status === 0);
const hasCurl = isOnMachine('curl', spawnSync('curl', ['--version']).status === 0);

const at = ({ page, line }: CodeBlock) => `${page}:${line}`;
const blocks: CodeBlock[] = [];
const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));

beforeAll(async () => {
  for (const page of PAGES) blocks.push(...(await codeBlocksOf(page)));
});

/** Each block that the check objects to, with what it says. */
function objections(all: readonly CodeBlock[], check: (block: CodeBlock) => string | null): string[] {
  expect(all.length).toBeGreaterThan(0);
  return all.flatMap((block) => {
    const objection = check(block);
    return objection === null ? [] : [`${at(block)}: ${objection}`];
  });
}

/** What Python says of each of the blocks, if it does not take it. */
function pythonErrors(reader: 'ast.parse' | 'tomllib.loads', all: readonly CodeBlock[]): string[] {
  const program = `
import ast, json, sys, tomllib
for block in json.load(sys.stdin):
    try:
        ${reader}(block["code"])
    except Exception as error:
        print(block["page"], block["line"], error)`;
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify(all),
    encoding: 'utf8',
  });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [stderr];
}

describe('each code block of a page', () => {
  it('names its language, for which there is a check', () => {
    const checked = new Set(['sh', 'console', 'json', 'ini', 'toml', ...Object.keys(FILES)]);
    const isKnown = ({ language }: CodeBlock) =>
      checked.has(language) || PROGRAMS.test(language) || NO_PROGRAMS.test(language);
    expect(
      blocks.filter((block) => !isKnown(block)).map((block) => `${at(block)} ${block.language}`),
    ).toEqual([]);
    expect(blocks.length).toBeGreaterThan(50);
  });

  it('that is a program is run by a test, or says why not', () => {
    const programs = new Set(
      blocks
        .filter(({ language }) => PROGRAMS.test(language))
        .map(({ page, language }) => `${page} ${language}`),
    );
    expect([...programs].sort()).toEqual(Object.keys(RUN_BY).sort());
    const wrong = Object.entries(RUN_BY).filter(([program, spec]) => {
      if (spec.startsWith('not run: ')) return false;
      const name = program.replace(/\.md \w+$/, '').replace('docs/recipes/', '');
      return !existsSync(join(root, spec)) || !readFileSync(join(root, spec), 'utf8').includes(name);
    });
    expect(wrong).toEqual([]);
  });

  it('that shows a file of deploy/ is the whole file', () => {
    for (const [language, file] of Object.entries(FILES))
      expect(inLanguage(language).map(({ page, code }) => [page, code.trim()])).toEqual([
        ['docs/installation.md', readFileSync(join(root, file), 'utf8').trim()],
      ]);
  });

  it('in the README that loads the widget is a line of the recipe', () => {
    const [page] = inLanguage('html').filter(({ page }) => page === 'README.md');
    const [recipe] = inLanguage('html').filter(({ page }) => page === 'docs/recipes/signup-form.md');
    const [script = ''] = /^<script .*$/m.exec(page?.code ?? '') ?? [];
    expect(script).not.toBe('');
    expect(recipe?.code).toContain(script);
  });

  it('in JSON is JSON', () => {
    const check = ({ code }: CodeBlock) => {
      try {
        // An example may be a member of an object.
        JSON.parse(/^\s*"\w+":/.test(code) ? `{${code}}` : code);
        return null;
      } catch (error) {
        return String(error);
      }
    };
    expect(objections(inLanguage('json'), check)).toEqual([]);
  });

  it('in JavaScript or TypeScript has no syntax error', () => {
    const check = ({ code }: CodeBlock) => {
      const { diagnostics = [] } = ts.transpileModule(code, {
        reportDiagnostics: true,
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
      });
      const [first] = diagnostics;
      return first === undefined ? null : ts.flattenDiagnosticMessageText(first.messageText, ' ');
    };
    expect(objections(inLanguage('js', 'javascript', 'ts'), check)).toEqual([]);
  });

  (hasPython ? it : it.skip)('in Python or TOML has no syntax error', () => {
    const [programs, settings] = [inLanguage('python'), inLanguage('toml')];
    expect([programs.length, settings.length]).not.toContain(0);
    expect(pythonErrors('ast.parse', programs)).toEqual([]);
    expect(pythonErrors('tomllib.loads', settings)).toEqual([]);
  });

  it('of a shell has no syntax error', async () => {
    const blocks = inLanguage('sh', 'console');
    expect(blocks.length).toBeGreaterThan(50);
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-examples-'));
    for (const [n, block] of blocks.entries()) await writeFile(join(folder, String(n)), typedIn(block));
    // A shell starts the others in a tenth of the time that this large process takes for each.
    const each = 'for file in *; do sh -n "$file" 2>&1; done; true';
    const { stdout } = await execFileAsync('sh', ['-c', each], { cwd: folder });
    await rm(folder, { recursive: true });
    expect(stdout.replace(/^\d+/gm, (n) => at(blocks[Number(n)]!))).toBe('');
  });

  it('with settings has sections, and variables that exist, with values that are accepted', () => {
    const check = ({ code }: CodeBlock) => {
      for (const line of code.split('\n')) {
        const [, name = '', value = ''] = /^(\w+)=(.*?)(?:\s+# .*)?$/.exec(line) ?? [];
        if (name === '' && !/^(?:\s*|#.*|\[\w+\])$/.test(line)) return `not a setting: ${line}`;
        if (!/^[A-Z_]{2,}$/.test(name)) continue;
        if (!VARIABLES.includes(name) && !OTHER_VARIABLES.test(name)) return `no variable: ${name}`;
        const pin = 'A'.repeat(64).toLowerCase();
        try {
          readConfig({ [name]: value.replace('0d5f…', pin) });
        } catch (error) {
          return String(error);
        }
      }
      return null;
    };
    expect(objections(inLanguage('ini'), check)).toEqual([]);
  });
});

describe('each rcpt command of a page', () => {
  it('exists, with its options and as many arguments', () => {
    const commands = inLanguage('sh', 'console').flatMap((block) =>
      commandsIn(typedIn(block)).flatMap((words) => {
        const args = argumentsIn(words);
        return args === null ? [] : [{ block, args }];
      }),
    );
    expect(commands.length).toBeGreaterThan(40);
    const wrong = commands.map(({ block, args }) => [at(block), args.join(' '), refusal(args)]);
    expect(wrong.filter(([, , objection]) => objection !== null)).toEqual([]);
  });

  it('is refused if it has a wrong name, option or number of arguments', () => {
    expect(
      ['verfy a@b.c', 'verify', 'keys list --tem T', 'keys make', 'verify a b'].map((text) =>
        refusal(text.split(' ')),
      ),
    ).toEqual(['no command verfy', '0 arguments', 'no option --tem', 'no command make', '2 arguments']);
  });
});

(hasCurl ? describe : describe.skip)('each request with curl of a page', () => {
  let mail: MailWorld;
  let world: WebhookApp;
  let account: NewAccount;
  let ids: Record<string, string>;

  beforeAll(async () => {
    mail = await MailWorld.start({
      scenes: [{ domain: 'corp.mailworld', story: 'answers', servers: [mailboxes('jane')], expect: {} }],
    });
    world = await WebhookApp.start(mail.env);
    account = await world.app.anAccount();
    const job = await aBulkJob(world.app, account.testKey, ['jane@example.com']);
    await workOn(world.app);
    const webhook = await world.aWebhook(account.liveKey, 'https://example.com/hooks');
    ids = { 'job_…': job.id, 'whk_…': webhook.id };
  });
  afterAll(async () => {
    await world.stop();
    await mail.stop();
  });

  /** What is expected of the others is 2xx. */
  const OTHERS: readonly [RegExp, string][] = [
    // Without Stripe. `billing.spec.ts` subscribes with a fake one.
    [/\/v1\/billing\/subscribe/, '503'],
    // The page of the recipe, which `recipes.release.spec.ts` runs.
    [/localhost:3001\/api\/join/, 'not ours'],
  ];

  it('is answered as the page says', async () => {
    const requests = inLanguage('sh', 'console').flatMap((block) =>
      (
        typedIn(block)
          .replaceAll(/\\\n\s*/g, ' ')
          .match(/^curl .*$/gm) ?? []
      ).map((line) => ({ block, line })),
    );
    expect(requests.length).toBeGreaterThan(12);
    const answers = [];
    for (const { block, line } of requests) {
      const [, expected = '2xx'] = OTHERS.find(([pattern]) => pattern.test(line)) ?? [];
      if (expected === 'not ours') continue;
      const [own = ''] = line.split(/ \| | +# /);
      const script = own
        .replace('curl ', "curl -s -o /dev/null -w '%{http_code}' ")
        .replaceAll(/(?:http:\/\/)?localhost:3000/g, world.app.url)
        .replaceAll('rcpt_test_…', account.testKey)
        .replaceAll('rcpt_live_…', account.liveKey)
        .replaceAll(/(?:job|whk)_…/g, (name) => ids[name] ?? name);
      const { url } = world.app;
      const env = {
        ...process.env,
        RCPT: url,
        RCPT_URL: url,
        KEY: account.liveKey,
        RCPT_API_KEY: account.liveKey,
      };
      const { stdout } = await execFileAsync('sh', ['-c', script], { env });
      if (stdout !== expected && !(expected === '2xx' && /^2\d\d$/.test(stdout)))
        answers.push([at(block), own, stdout]);
    }
    expect(answers).toEqual([]);
  });
});
