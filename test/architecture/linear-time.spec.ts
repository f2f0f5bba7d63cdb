import { describe, expect, it } from '@jest/globals';
import { exportedFunctions } from '../support/architecture/linear-time/exported-functions.js';
import {
  superlinearGrowth,
  type Shape,
  type TextReader,
} from '../support/architecture/linear-time/growth.js';
import { ENGINE_READERS } from '../support/architecture/linear-time/readers.engine.js';
import { INTAKE_READERS } from '../support/architecture/linear-time/readers.intake.js';
import { KERNEL_READERS } from '../support/architecture/linear-time/readers.kernel.js';
import { PROVIDER_READERS } from '../support/architecture/linear-time/readers.providers.js';
import { REQUEST_READERS } from '../support/architecture/linear-time/readers.requests.js';
import { shapes } from '../support/architecture/linear-time/shapes.js';
import { RUNS } from '../support/verification/property-runs.js';

const READERS = {
  ...KERNEL_READERS,
  ...ENGINE_READERS,
  ...INTAKE_READERS,
  ...PROVIDER_READERS,
  ...REQUEST_READERS,
};

/** Each exported function of these folders is in a table of readers, or below. */
const FOLDERS = [
  'kernel/text',
  'kernel/list-files',
  'platform/list-files',
  'engine/address',
  'engine/replies',
  'modules/events/outcome-intake/domain/providers',
  'modules/events/outcome-intake/domain/reports',
  'modules/identity/oauth/domain',
  'modules/protocols/mcp/domain',
];

/** They take no text of a stranger. */
const WITHOUT_TEXT: Readonly<Record<string, string>> = {
  'kernel/list-files/csv/csv-records#CsvFault': 'an error',
  'kernel/list-files/list-file.errors#MalformedList': 'an error',
  'kernel/list-files/list-file.errors#UnknownCharset': 'an error',
  'platform/list-files/csv-text#joined': 'passes on what it is given',
  'platform/list-files/csv.dto#CsvQuery': 'its fields are validated, and have lengths',
  'platform/list-files/csv.dto#optionsOf': 'validated fields',
  'engine/replies/bounce-reply#isHard': 'a category',
  'engine/replies/mailbox-reply#tableFor': 'a stage and a code',
  'platform/list-files/read-list-in-thread#readListInThread': 'unpacks what a thread reads',
  'platform/list-files/lists.thread#read': 'packs what readList reads',
  'engine/replies/reply-things#isMailbox': 'a concept',
  'modules/events/outcome-intake/domain/providers/event-reader#EventReader': 'a port',
  'modules/events/outcome-intake/domain/providers/signature-checks#requireSigned': 'a decision',
  'modules/events/outcome-intake/domain/providers/signature-checks#requireRecent': 'times',
  'modules/events/outcome-intake/domain/providers/signature-checks#safely': 'runs what it is given',
  'modules/identity/oauth/domain/oauth-refusal#OAuthRefusal': 'an error',
  'modules/identity/oauth/domain/oauth-record.repository#OAuthRecordRepository': 'a port',
  'modules/identity/oauth/domain/authorization-server#AuthorizationServer': 'a port',
  'modules/identity/oauth/domain/authorization-server#GrantKeys': 'a port',
  'modules/protocols/mcp/domain/tools#toolsOf': 'options',
};

const cases = Object.entries(READERS).flatMap(([file, readers]) =>
  Object.entries(readers).map(([name, read]) => ({ name: `${file}#${name}`, read: [read].flat() })),
);

const AGAIN = 5;

/** Every tenth shape, with another seed (CI has others) other ones; all of them with `npm run test:chaos`. */
const EVERY = RUNS.numRuns < 1_000 ? 10 : 1;
const SHAPES = shapes().filter((_, n) => n % EVERY === RUNS.seed % EVERY);

/** The first measurement that is as expected, or the last one: other programs may disturb some. */
async function firstOf(
  isExpected: (growth: string | null) => boolean,
  read: TextReader,
  shape: Shape,
): Promise<string | null> {
  for (let times = 1; ; times++) {
    const growth = await superlinearGrowth(read, shape);
    if (isExpected(growth) || times > AGAIN) return growth;
  }
}

describe('the cost of a text', () => {
  /** Several readers of one function share the shapes: each takes every second one. */
  const shapesFor = ({ takesLengthOnly }: TextReader, at: number, readers: number) =>
    takesLengthOnly ? SHAPES.slice(0, 1) : SHAPES.filter((_, n) => readers === 1 || n % 2 === at % 2);

  it.each(cases)('is linear in its length for $name', async ({ read }) => {
    const slow: string[] = [];
    for (const [at, reader] of read.entries())
      for (const { name, shape } of shapesFor(reader, at, read.length)) {
        // What is superlinear is so each time.
        const growth = await firstOf((found) => found === null, reader, shape);
        if (growth !== null) slow.push(`reader ${at}, ${name}: ${growth}`);
        if (slow.length === 3) break;
      }
    expect(slow).toEqual([]);
  });
});

describe('the measurement of growth', () => {
  const repeated = (length: number) => 'a'.repeat(length);

  it.each<[string, TextReader]>([
    ['in the length', (text) => [...text].filter((_, at) => text.lastIndexOf('b', at) >= 0)],
    [
      'up to a limit of length',
      (text) => [...text.slice(0, 1_000)].map(() => text.slice(0, 1_000).split('').sort()),
    ],
    ['with the fastest steps', (text) => [...text].filter(() => !text.includes('b'))],
  ])('finds quadratic work %s', async (_, read) => {
    expect(await firstOf((found) => found !== null, read, repeated)).not.toBeNull();
  });

  it.each<[string, TextReader]>([
    ['linear', (text) => [...text].map((letter) => letter.toUpperCase()).join('')],
    ['sorting', (text) => [...text].sort()],
  ])('accepts %s work', async (_, read) => {
    expect(await superlinearGrowth(read, repeated)).toBeNull();
  });
});

it('is measured for each exported function that takes a text', async () => {
  const exported = (await Promise.all(FOLDERS.map(exportedFunctions))).flat();
  const known = [...cases.map(({ name }) => name), ...Object.keys(WITHOUT_TEXT)];
  expect(exported.length).toBeGreaterThan(100);
  expect(exported.filter((name) => !known.includes(name))).toEqual([]);
  const inFolders = known.filter((name) => FOLDERS.some((folder) => name.startsWith(`${folder}/`)));
  expect(inFolders.filter((name) => !exported.includes(name))).toEqual([]);
});
