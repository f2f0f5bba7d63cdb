import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { resultsOf, sendList, workOn } from '../../support/app/bulk.js';

const LISTS: Readonly<Record<string, { type: string; write: (email: string) => string }>> = {
  JSON: { type: 'application/json', write: (email) => JSON.stringify({ emails: [email, { email }] }) },
  'JSON with escapes': {
    type: 'application/json',
    write: (email) => {
      const escaped = [...email]
        .flatMap((character) => character.split(''))
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join('');
      return `{"emails":["${escaped}","${escaped}"]}`;
    },
  },
  NDJSON: {
    type: 'application/x-ndjson',
    write: (email) => `${JSON.stringify(email)}\n${JSON.stringify({ email, ref: 'x' })}`,
  },
  CSV: {
    type: 'text/csv',
    write: (email) => {
      const cell = `"${email.replaceAll('"', '""')}"`;
      return `name,email\nAnna,${cell}\nBen,${cell}\n`;
    },
  },
};

describe('an address', () => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await anApp();
    key = (await app.anAccount()).testKey;
  });
  afterAll(() => app.stop());

  it.each([
    ['anna@people.example', 'anna@people.example', null, null],
    ['\ufeffanna@people.example', 'anna@people.example', null, null],
    ['anna@people.example\ufeff', 'anna@people.example', null, null],
    ['an\ufeffna@people.example', null, 'syntax:local_part_character', 'anna@people.example'],
    ['anna@peo\ufeffple.example', null, 'syntax:domain_idna', 'anna@people.example'],
    ['\u200banna@people.example\u2060', 'anna@people.example', null, null],
    ['\u202aanna@people.example\u202c', 'anna@people.example', null, null],
    ['an\u200bna@people.example', null, 'syntax:local_part_character', 'anna@people.example'],
    ['\u00a0anna@people.example\u3000', 'anna@people.example', null, null],
    ['Anna <anna@people.example>', null, 'syntax:wrapped', 'anna@people.example'],
    ['mailto:anna@people.example', null, 'syntax:wrapped', 'anna@people.example'],
    ["'anna@people.example'", null, 'syntax:wrapped', 'anna@people.example'],
    ['anna@people.example; ben@people.example', null, 'syntax:several_addresses', 'anna@people.example'],
    ['anna@people.example\nben@people.example', null, 'syntax:several_addresses', 'anna@people.example'],
    ['anna..b@people.example', null, 'syntax:local_part_dot', '"anna..b"@people.example'],
    ['"anna..b"@people.example', '"anna..b"@people.example', null, null],
    ['üñî@people.example', 'üñî@people.example', null, null],
    ['no address', null, 'syntax:no_at_sign', null],
  ])(
    'has the same verdict alone and in each format of a list: %j',
    async (email, normalized, rule, meant) => {
      const verdict = {
        email,
        normalized_email: normalized,
        did_you_mean: meant,
        policy: { rule },
      };
      expect((await app.post('/v1/verify', key).send({ email })).body).toMatchObject(verdict);
      for (const [name, { type, write }] of Object.entries(LISTS)) {
        const query = type === 'text/csv' ? '?email_column=email' : '';
        const { status, body } = await sendList(app, key, write(email), type, { query });
        expect([name, status]).toEqual([name, 202]);
        await workOn(app);
        const rows = await resultsOf(app, key, (body as BulkJobResponse).id);
        expect([name, rows]).toMatchObject([name, [verdict, verdict]]);
        expect(body).toMatchObject({ total: 2, unique: 1 });
      }
    },
  );

  it('of a CSV has no apostrophe in front, by which a spreadsheet marks a text', async () => {
    const csv = "email\n'anna@people.example\n'Ben@people.example\no'neil@people.example\n";
    const { body } = await sendList(app, key, csv, 'text/csv');
    await workOn(app);
    expect(await resultsOf(app, key, (body as BulkJobResponse).id)).toMatchObject([
      { email: 'anna@people.example', normalized_email: 'anna@people.example' },
      { normalized_email: 'Ben@people.example' },
      { normalized_email: "o'neil@people.example" },
    ]);
    const single = await app.post('/v1/verify', key).send({ email: "'anna@people.example" });
    expect(single.body).toMatchObject({ policy: { rule: 'syntax:wrapped' }, smtp: null });
  });

  it('keeps U+FEFF in the ref, and the list in its name', async () => {
    const list = { name: 'a\ufeffb', emails: [{ email: 'anna@people.example', ref: '\ufeff1\ufeff' }] };
    const refused = await sendList(app, key, JSON.stringify(list), 'application/json');
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/name' }] } });
    const { body } = await sendList(app, key, JSON.stringify({ ...list, name: 'ab' }), 'application/json');
    await workOn(app);
    expect(await resultsOf(app, key, (body as BulkJobResponse).id)).toMatchObject([{ ref: '\ufeff1\ufeff' }]);
  });
});
