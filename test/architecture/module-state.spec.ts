import { describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const SRC = join(import.meta.dirname, '../../src');

/** A variable of a module or a class that may change. */
const CHANGING = [
  /^(?:export )?(?:let|var) (?<name>\w+)/gm,
  /^(?:export )?const (?<name>\w+)(?:: (?!Readonly)[^=\n]+)? =\s+(?:new \w*(?:Map|Set|Memo|Cache|Limiter|Semaphore|Writer|Context|Command)\b|\[\]|\{\})/gm,
  /^ +(?:\w+ )*static (?:readonly )?(?<name>\w+)(?:: (?!Readonly|ErrorDefinition)[^=\n]+)? = (?:new|\[\]|\{\}|\w+;)/gm,
];

const HARMLESS = {
  'filled when the module is loaded': [
    'body.guard FORBIDDEN_MEMBERS',
    'environment-fields FLAGS',
    'idempotency.interceptor SECRET_MEMBERS',
    'reply-lexicon PHRASES',
    'reply-lexicon PREFIXES',
    'reply-lexicon TYPOS',
    'reply-lexicon WORDS',
    'request-log METHODS',
    'json-table FORBIDDEN_MEMBERS',
  ],
  'results of pure functions': [
    'domain-lists REGISTRABLE_PARTS',
    'mail-exchange KNOWN_HOSTS',
    'mailbox-reply KNOWN_REPLIES',
    'reply-lexicon cache',
    'route-policy policies',
  ],
  'what is in use, empty when the service has stopped': [
    'embedded-postgres opened',
    'keyed-request keyedRequests',
    'raw-body TEAM_MEMORY',
    'raw-body UNAUTHENTICATED_MEMORY',
    'raw-body bodies',
    'request-context requestContexts',
  ],
  'set again by each command': ['cli rcpt'],
};

function changing(file: string, code: string): string[] {
  return CHANGING.flatMap((pattern) => [...code.matchAll(pattern)]).map(
    ({ groups }) => `${basename(file, '.ts')} ${groups?.name}`,
  );
}

describe('the state of modules', () => {
  it('cannot pass from one spec file to the next, since all spec files of a worker share the modules of src', async () => {
    const files = (await readdir(SRC, { recursive: true })).filter((name) => /(?<!\.spec)\.ts$/.test(name));
    const found = await Promise.all(
      files.map(async (file) => changing(file, await readFile(join(SRC, file), 'utf8'))),
    );
    expect(found.flat().sort()).toEqual(Object.values(HARMLESS).flat().sort());
  });

  it.each([
    ['let', 'let calls = 0;'],
    ['an exported variable', 'export let calls = 0;'],
    ['an array', 'const calls: string[] = [];'],
    ['a map', 'export const calls = new Map<string, number>();'],
    ['a cache', 'const KNOWN = new LRUCache<string, string>({ max: 9 });'],
    ['a static member', 'class A {\n  private static calls = new Set<A>();'],
  ])('is recognised: %s', (_, code) => expect(changing('a.ts', code)).toHaveLength(1));

  it('does not include tables that cannot change', () => {
    const code = 'const NAMES: ReadonlySet<string> = new Set();\nexport const SIZES = [1, 2];';
    expect(changing('a.ts', code)).toEqual([]);
  });
});
