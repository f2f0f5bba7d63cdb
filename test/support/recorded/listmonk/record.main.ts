import { mkdtemp, realpath, rm, writeFile, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedPostgres } from '../../../../src/platform/database/embedded/embedded-postgres.js';
import { MailSink } from '../../mail/mail-sink.js';
import { onServer } from '../../database/fresh-database.js';
import { RealListmonk } from './real-listmonk.js';
import {
  numbered,
  numbersOf,
  stable,
  shortened,
  type Exchange,
  type RecordedScene,
  type Recording,
} from './recording.js';
import { SCENES } from './scenario.js';
import { PEOPLE, type Event, type Step } from './steps.js';
import { ADMIN } from './users.js';

const HELP = `Records what a listmonk answers, in ${import.meta.dirname}/VERSION.json.

  LISTMONK=/path/to/listmonk npm run ts test/support/recorded/listmonk/record.main.ts

LISTMONK is the program of a release (https://listmonk.app/docs/installation), or one that was built from its source.
A program without embedded files is run in its own folder. It runs on a database of its own, on 127.0.0.1, and sends its
mail to this process. Recorded: releases 3.0.0, 5.1.0 and 6.2.0.
`;
const { LISTMONK } = process.env;
/** After a change, in which a mail comes if one does. */
const MAIL_MS = 150;

if (LISTMONK === undefined) {
  process.stderr.write(HELP);
  process.exit(64);
}

const dataDir = await mkdtemp(join(await realpath(tmpdir()), 'listmonk-data-'));
await chmod(dataDir, 0o755);
const postgres = await EmbeddedPostgres.open({ dataDir, log: () => undefined });
const mails = await MailSink.start();
try {
  await onServer(postgres.url, 'CREATE DATABASE listmonk');
  const database = new URL(postgres.url);
  database.pathname = '/listmonk';
  const listmonk = await RealListmonk.start({
    program: resolve(LISTMONK),
    database: database.href,
    mailPort: Number(new URL(mails.url).port),
  });
  const recording = await record(listmonk).finally(() => listmonk.stop());
  const file = join(import.meta.dirname, `${recording.version}.json`);
  await writeFile(file, textOf(recording));
  process.stdout.write(`${file}\n`);
} finally {
  await mails.close();
  await postgres.close();
  await rm(await realpath(join(dataDir, 'postgres')), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

async function record(listmonk: RealListmonk): Promise<Recording> {
  const scenes: RecordedScene[] = [];
  for (const { title, steps } of SCENES) {
    const exchanges: (Exchange | Event)[] = [];
    for (const step of steps) {
      if (typeof step === 'string') await happen(listmonk, step);
      const recorded = typeof step === 'string' ? step : await exchange(listmonk, step);
      if (recorded !== null) exchanges.push(recorded);
    }
    scenes.push({ title, exchanges });
  }
  const person = personOf(scenes);
  const recording = { version: listmonk.version, users: listmonk.users, person, objects: {}, scenes };
  for (const { exchanges } of scenes)
    for (const recorded of exchanges)
      if (typeof recorded !== 'string') recorded.response.body = shortened(recorded.response.body, recording);
  return recording;
}

async function happen(listmonk: RealListmonk, event: Event): Promise<void> {
  if (event === 'users are added') await listmonk.addUsers();
  else if (event === 'totals are cached') await listmonk.cacheTotals();
  else await listmonk.refreshTotals();
}

/** null: it has no such user. */
async function exchange(listmonk: RealListmonk, step: Step): Promise<Exchange | null> {
  const { as: wanted = 'rcpt', each, ...asked } = step;
  // The one user of old versions.
  const as = wanted === 'rcpt' && !listmonk.users.includes(wanted) ? ADMIN : wanted;
  if (!listmonk.users.includes(as)) return null;
  const before = mails.received.length;
  const requests = each === undefined ? [asked] : numbersOf(each).map((n) => numbered(asked, n));
  const responses: Exchange['response'][] = [];
  for (const request of requests) responses.push(await answer(listmonk, as, request));
  if (asked.method !== 'GET') await pause(MAIL_MS);
  const to = mails.received.slice(before).flatMap((mail) => mail.to);
  const { token, method, path, body } = asked;
  return {
    as,
    ...(token === undefined ? {} : { token }),
    request: { method, path, ...(body === undefined ? {} : { body }) },
    response: responses[0]!,
    ...(to.length === 0 ? {} : { mails: to }),
    ...(each === undefined ? {} : { each }),
  };
}

async function answer(
  listmonk: RealListmonk,
  as: string,
  { token, method, path, body }: Step,
): Promise<Exchange['response']> {
  const response = await fetch(`${listmonk.url}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: listmonk.authorization(as, token) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'manual',
  });
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  // The text of a page is not an answer.
  const said: unknown = type.startsWith('application/json') ? JSON.parse(text) : null;
  return { status: response.status, type, body: stable(said) };
}

/** The subscriber of a number, as a page shows it. */
function personOf(scenes: readonly RecordedScene[]): object {
  for (const { exchanges } of scenes)
    for (const recorded of exchanges) {
      if (typeof recorded === 'string' || !recorded.request.path.includes('list_id')) continue;
      const { data } = recorded.response.body as { data: { results: { id: number }[] } };
      const found = data.results.find(({ id }) => id === PEOPLE[0])!;
      const text = JSON.stringify(found).replaceAll(/person1(?=["@])/g, 'person{n}');
      return JSON.parse(
        text.replace('"id":1,', '"id":"{n}",').replace('"number":1', '"number":"{n}"'),
      ) as object;
    }
  throw new Error('No page was recorded');
}

/** A line for each object and each exchange. */
function textOf({ objects, scenes, ...head }: Recording): string {
  const lines = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).join(',\n');
  const named = Object.entries(objects).map(
    ([name, object]) => `${JSON.stringify(name)}: ${JSON.stringify(object)}`,
  );
  const texts = scenes.map(
    ({ title, exchanges }) => `{"title": ${JSON.stringify(title)}, "exchanges": [\n${lines(exchanges)}\n]}`,
  );
  const members = Object.entries(head).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  return `{\n${members.join(',\n')},\n"objects": {\n${named.join(',\n')}\n},\n"scenes": [\n${texts.join(',\n')}\n]\n}\n`;
}
