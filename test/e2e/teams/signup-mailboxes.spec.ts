import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SignupApp } from '../../support/app/signup-app.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

let confirming: SignupApp;

beforeAll(async () => {
  confirming = await SignupApp.start();
  confirming.newVisitor();
});
afterAll(() => confirming.stop());

it('mails to one mailbox are three a day however its domain is spelled', async () => {
  const dots = ['.', '\u3002', '\uff0e', '\uff61'];
  const spellings = dots.flatMap((one) => dots.map((other) => `dots@mail${one}example${other}com`));
  const others = ['dots@MAIL.Example.com', 'dots@ma\uff49l.example.com'];
  const statuses = [];
  for (const [n, email] of [...spellings, ...others].entries())
    statuses.push((await confirming.post(email, `203.0.113.${n}`)).status);
  expect(statuses).toEqual([201, 201, 201, ...Array.from({ length: 15 }, () => 429)]);
  expect(await confirming.sendMails()).toBe(3);
  expect(new Set(confirming.sink.received.map(({ to }) => to[0]))).toEqual(
    new Set(['dots@mail.example.com']),
  );
});

it.each(['jane@example.com.', 'jane@exa_mple.com', 'jane@192.0.2.1', 'jane@', 'example.com'])(
  'an address with a domain that the engine does not take is refused: %s',
  async (email) => {
    const problem = expectProblem(await confirming.post(email), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual([expect.stringMatching(/^\/email /)]);
  },
);
