import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { SourceKind } from '../../../src/modules/events/outcome-intake/domain/providers/providers.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { RawClient } from '../../support/http/raw-client.js';
import { PROVIDER_EVENTS } from '../../support/outcomes/provider-events.js';
import { NOW, SECRETS, SIGNERS } from '../../support/outcomes/source-signers.js';

/** Kinds whose events are signed in headers. */
const SIGNED: readonly SourceKind[] = ['sendgrid', 'resend', 'postal', 'mandrill', 'mailersend', 'mailtrap'];

/** What a proxy, a library or an attacker makes of the value of a header, and what must not count as that value. */
const FORMS: Readonly<Record<string, (value: string) => string>> = {
  empty: () => '',
  'of spaces': () => '   ',
  'cut off': (value) => value.slice(0, -2),
  reversed: (value) => [...value].reverse().join(''),
  twice: (value) => `${value},${value}`,
  'in a list of a thousand': (value) => `${'v1,AAAA '.repeat(1_000)}x${value}`,
  'in quotes': (value) => `"${value}"`,
  'as JSON': (value) => JSON.stringify([value]),
  'with a letter of another script': (value) => `\u00e9${value}`,
  'with a percent escape': (value) => encodeURIComponent(`%00${value}`),
  'the word null': () => 'null',
  'the word undefined': () => 'undefined',
  'of sixteen thousand letters': () => 'A'.repeat(15_000),
  'negative and in a power': () => '-1e3',
};

describe('an event with a signature of an odd form', () => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await anApp();
    app.clock.standAt(NOW);
    key = (await app.anAccount()).liveKey;
  });
  afterAll(() => app.stop());

  const paths = new Map<SourceKind, string>();
  const pathOf = async (kind: SourceKind): Promise<string> => {
    const known = paths.get(kind);
    if (known !== undefined) return known;
    const added = await app.post('/v1/outcome-sources', key).send({ kind, secret: SECRETS[kind] });
    const path = new URL((added.body as { url: string }).url).pathname;
    paths.set(kind, path);
    return path;
  };
  const stored = () => app.service.app.get(DataSource).query<unknown[]>('SELECT 1 FROM outcomes');

  it.each(SIGNED)('of %s is refused with 401 or 400, and nothing is stored', async (kind) => {
    const path = await pathOf(kind);
    const { body, headers } = SIGNERS[kind](
      PROVIDER_EVENTS[kind][0],
      undefined,
      `https://elsewhere.example${path}`,
    );
    const names = Object.keys(headers).filter((name) => name !== 'Content-Type' && !/KID$/.test(name));
    const statuses: [string, number][] = [];
    // Standard Webhooks has lists of signatures: one of them may be right.
    const isList = (form: string) => kind === 'resend' && /^(twice|in a list|with a letter)/.test(form);
    for (const [form, spoil] of Object.entries(FORMS).filter(([name]) => !isList(name))) {
      for (const name of names) {
        // Of two signatures one may be missing.
        const spoiled = names.length > 1 && kind === 'postal' ? names : [name];
        const changed = {
          ...headers,
          ...Object.fromEntries(spoiled.map((one) => [one, spoil(headers[one] ?? '')])),
        };
        const answer = await app
          .post(path)
          .set({ 'Content-Type': 'application/json', ...changed })
          .send(body);
        statuses.push([`${name} ${form}`, answer.status]);
      }
    }
    expect(statuses.filter(([, status]) => ![400, 401, 431].includes(status))).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it.each(SIGNED)('of %s that is sent in two headers is refused', async (kind) => {
    const path = await pathOf(kind);
    const { body, headers } = SIGNERS[kind](
      PROVIDER_EVENTS[kind][0],
      undefined,
      `https://elsewhere.example${path}`,
    );
    const lines = Object.entries(headers).flatMap(([name, value]) =>
      name === 'Content-Type' ? [`${name}: ${value}`] : [`${name}: AAAA`, `${name}: ${value}`],
    );
    const type = lines.some((line) => line.startsWith('Content-Type'))
      ? []
      : ['Content-Type: application/json'];
    const client = await RawClient.connect(Number(new URL(app.url).port));
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...type,
      ...lines,
    ];
    await client.send(`${head.join('\r\n')}\r\n\r\n${body}`);
    expect([400, 401]).toContain((await client.answer()).status);
    client.close();
    expect(await stored()).toEqual([]);
  });

  it.each([
    'null',
    '[]',
    '{}',
    '"text"',
    '[[[]]]',
    '{"signature":null}',
    '{"signature":{"timestamp":{},"token":[]}}',
  ])('in the body %s is refused without a fault, whatever the kind', async (body) => {
    const statuses: [string, number][] = [];
    for (const kind of Object.keys(SIGNERS) as SourceKind[]) {
      if (SECRETS[kind] === null && kind !== 'ses') continue;
      const answer = await app
        .post(await pathOf(kind))
        .set('Content-Type', 'application/json')
        .send(body);
      statuses.push([kind, answer.status]);
    }
    expect(statuses.filter(([, status]) => status >= 500 || status === 200)).toEqual([]);
    expect(await stored()).toEqual([]);
  });
});
