import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { saying } from '../../support/mail/mail-scene.js';
import { MAIL_SCENES } from '../../support/mail/mail-scenes.js';
import { mailboxes } from '../../support/smtp/smtp-behaviours.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';

const LONG = `550-5.1.1 ${'x'.repeat(450)}`;

let world: MailWorld;
let app: TestApp;
let validator: ResponseValidator;
let key: string;

beforeAll(async () => {
  const long = {
    domain: 'long.mailworld',
    story: '',
    servers: [saying(`${`${LONG}\n`.repeat(60)}550 5.1.1 end`)],
    expect: {},
  };
  const chatty = {
    domain: 'ansi.mailworld',
    story: '',
    servers: [saying('550 5.1.1 no \u001b[31mmailbox\u0007 of that name')],
    expect: {},
  };
  const unwelcome = {
    domain: 'unwelcome.mailworld',
    story: '',
    servers: [
      { ...mailboxes('jane'), banner: '554 5.7.1 Service unavailable; blocked using zen.spamhaus.org' },
    ],
    expect: {},
  };
  const silent = {
    domain: 'rude.mailworld',
    story: '',
    servers: [{ ...mailboxes('jane'), ehlo: '550 5.7.1 Who are you?', helo: '550 5.7.1 Who are you?' }],
    expect: {},
  };
  world = await MailWorld.start({ scenes: [...MAIL_SCENES, long, chatty, unwelcome, silent] });
  app = await anApp(world.env);
  validator = await ResponseValidator.published(app);
});
beforeEach(async () => {
  key = (await app.anAccount()).liveKey;
});
afterAll(async () => {
  await app.stop();
  await world.stop();
});

async function dialogueOf(email: string, more: object = { dialogue: true }) {
  const answer = await app.post('/v1/verify', key).send({ email, ...more });
  validator.expect('POST', '/v1/verify', answer);
  return (answer.body as VerdictResponse).smtp?.dialogue;
}

it('contains the greeting, each command and each reply, in order', async () => {
  const lines = (await dialogueOf('ghost@plain.mailworld')) ?? [];
  expect(lines[0]).toEqual({ source: 'connection', text: 'mx1.plain.mailworld' });
  expect(lines[1]).toMatchObject({ source: 'server', text: expect.stringMatching(/^220 /) });
  expect(lines.filter(({ source }) => source === 'client').map(({ text }) => text)).toEqual([
    'EHLO verify.mailworld',
    'MAIL FROM:<verify@verify.mailworld>',
    'RCPT TO:<ghost@plain.mailworld>',
  ]);
  expect(lines.at(-1)?.text).toMatch(/^550 5\.1\.1 /);
});

it('of a session with other recipients contains only its own recipient', async () => {
  const first = (await app.anAccount()).liveKey;
  await app.post('/v1/verify', first).send({ email: 'secret@plain.mailworld' }).expect(200);
  await Promise.all([
    app.post('/v1/verify', first).send({ email: 'other@plain.mailworld' }).expect(200),
    app.post('/v1/verify', first).send({ email: 'third@plain.mailworld' }).expect(200),
  ]);
  const text = JSON.stringify(await dialogueOf('mine@plain.mailworld'));
  expect(text).toMatch(/RSET.*RCPT TO:<mine@plain\.mailworld>/);
  expect(text).not.toMatch(/secret|other|third/);
});

it('of an accepted address does not contain the random address', async () => {
  const lines = (await dialogueOf('jane@plain.mailworld')) ?? [];
  const asked = lines.filter(({ text }) => text.startsWith('RCPT')).map(({ text }) => text);
  expect(asked).toEqual(['RCPT TO:<jane@plain.mailworld>']);
});

it.each([
  ['unwelcome', [/^554 5\.7\.1 Service unavailable; blocked using zen\.spamhaus\.org$/]],
  ['rude', [/^220 /, /^EHLO /, /^550 5\.7\.1 Who are you\?$/]],
])('ends with the reply that rejects the connection (%s)', async (name, expected) => {
  const lines = (await dialogueOf(`jane@${name}.mailworld`)) ?? [];
  expect(lines[0]).toEqual({ source: 'connection', text: `mx1.${name}.mailworld` });
  const texts = lines.slice(1).map(({ text }) => text);
  expect(texts.slice(0, expected.length)).toEqual(expected.map((text) => expect.stringMatching(text)));
});

it('is bounded, and has no control characters', async () => {
  const lines = (await dialogueOf('ghost@long.mailworld')) ?? [];
  expect(lines).toHaveLength(40);
  expect(Math.max(...lines.map(({ text }) => text.length))).toBe(200);
  const shown = JSON.stringify(await dialogueOf('ghost@ansi.mailworld'));
  expect(shown).toContain('550 5.1.1 no [31mmailbox of that name');
  expect(shown).not.toMatch(/\\u00|\\b/);
});

it('is returned only on request, empty for a stored verdict, and not stored', async () => {
  expect(await dialogueOf('ghost@plain.mailworld', {})).toBeUndefined();
  expect(await dialogueOf('ghost@plain.mailworld')).toEqual([]);
  const several = await app
    .post('/v1/verify', key)
    .send({ emails: ['ghost@plain.mailworld'], dialogue: true });
  expect(several.text).not.toContain('dialogue');
});
