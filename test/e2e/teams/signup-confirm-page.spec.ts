import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../../support/app/app.js';
import { SignupApp } from '../../support/app/signup-app.js';
import { expectProblem } from '../../support/http/problems.js';

const UNKNOWN = `rcpt_signup_${'a'.repeat(43)}`;

describe('the page of a sign-up link', () => {
  let confirming: SignupApp;
  let app: TestApp;

  beforeAll(async () => {
    confirming = await SignupApp.start();
    app = confirming.app;
  });
  beforeEach(() => confirming.newVisitor());
  afterAll(() => confirming.stop());

  const open = (query: string) => app.get(`/signup/confirm${query}`);
  const press = (token: string) =>
    app.post('/signup/confirm').set('X-Forwarded-For', confirming.from).type('form').send({ token });

  it('has a button that confirms and shows the live key; its server does not see the token', async () => {
    const { key: before } = await confirming.signUp();
    const token = await confirming.tokenSent();
    const page = await open('');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(page.text).toContain('<form method="post" action="https://verify.example/rcpt/signup/confirm">');
    expect(page.text).toContain('<input type="hidden" name="token">');
    expect(page.text).toContain('<script src="../link-token.js"></script>');
    expect(page.text).not.toMatch(/<script>| on\w+=/i);
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    // Mail programs open links to check them.
    expect(await confirming.works(before.key)).toBe(true);
    const answer = await press(token);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.text).toContain('Visit evil.example');
    const key = /rcpt_live_[0-9A-Za-z]{38}/.exec(answer.text)?.[0] ?? '';
    expect(await confirming.works(key)).toBe(true);
    const again = await press(token);
    expect([again.status, again.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(again.text).toContain('Sign up again');
  });

  it('escapes names', async () => {
    const answer = await app
      .post('/signup')
      .set('X-Forwarded-For', confirming.from)
      .send({ email: confirming.someone(), team_name: '<img src=x onerror=alert(1)>"&' });
    expect(answer.status).toBe(201);
    const { text } = await press(await confirming.tokenSent());
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&amp;');
    expect(text).not.toContain('<img');
  });

  it.each(['?token=%22%3E%3Cscript%3E', `?token=${UNKNOWN}`])(
    'is the same for every link: %s',
    async (query) => {
      expect((await open(query)).text).toBe((await open('')).text);
    },
  );

  it('refuses a form that is too large, and other content types', async () => {
    const large = await press('x'.repeat(20_000));
    expectProblem(large, 413, 'payload_too_large');
    const other = app
      .post('/signup/confirm')
      .set('X-Forwarded-For', confirming.from)
      .type('text/plain')
      .send('token=x');
    expectProblem(await other, 415, 'unsupported_media_type');
    expectProblem(
      await app.post('/signup').type('form').send({ email: confirming.someone() }),
      415,
      'unsupported_media_type',
    );
  });
});
