import { expect } from '@jest/globals';
import type { SignupResponse } from '../../../src/modules/accounts/accounts/sign-up/signup.dto.js';
import { PostgresMailQueue } from '../../../src/platform/mail/postgres-mail-queue.js';
import { anApp, type TestApp } from './app.js';
import { rowsOf } from './joins.js';
import { MailSink } from '../mail/mail-sink.js';

export type SignedUp = SignupResponse & { key: { key: string } };

/** A service with `SIGNUP=confirm` and its mail server, with helpers to sign up. */
export class SignupApp {
  private visitors = 0;
  private people = 0;

  private constructor(
    readonly app: TestApp,
    readonly sink: MailSink,
  ) {}

  static async start(): Promise<SignupApp> {
    const sink = await MailSink.start();
    const app = await anApp({
      SIGNUP: 'confirm',
      SIGNUP_PER_HOUR: '100',
      TRUST_PROXY: '1',
      PUBLIC_URL: 'https://verify.example/rcpt',
      INVITE_SMTP_URL: sink.url,
      INVITE_FROM: 'rcpt@service.example',
    });
    return new SignupApp(app, sink);
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await this.sink.close();
  }

  /** Uses another client address from now on. */
  newVisitor(): void {
    this.visitors++;
    this.sink.received.length = 0;
  }

  get from(): string {
    return `198.51.${this.visitors}.1`;
  }

  someone(): string {
    return `person${++this.people}@example.com`;
  }

  post(email: string, place = this.from) {
    const wish = { email, team_name: 'Visit evil.example' };
    return this.app.post('/signup').set('X-Forwarded-For', place).send(wish);
  }

  async signUp(email = this.someone()): Promise<SignedUp> {
    const answer = await this.post(email);
    expect(answer.status).toBe(201);
    return answer.body as SignedUp;
  }

  confirm(body: object) {
    return this.app.post('/signup/confirm').set('X-Forwarded-For', this.from).send(body);
  }

  sendMails(): Promise<number> {
    return this.app.service.app.get(PostgresMailQueue).sendDue();
  }

  linkSent(): string {
    return /https:\/\/\S+/.exec(this.sink.lastText())?.[0] ?? '';
  }

  async tokenSent(): Promise<string> {
    await this.sendMails();
    return /#confirm=(\S+)$/.exec(this.linkSent())?.[1] ?? '';
  }

  async works(key: string): Promise<boolean> {
    return (await this.app.get('/v1/me', key)).status === 200;
  }

  async confirmedAt(userId: string): Promise<Date | null | undefined> {
    const sql = 'SELECT confirmed_at AS at FROM users WHERE id = $1';
    return (await rowsOf<{ at: Date | null }>(this.app, sql, [userId]))[0]?.at;
  }
}
