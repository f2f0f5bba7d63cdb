import type { OpenAPIObject } from '@nestjs/swagger';
import { FuzzRun } from './fuzz-run.js';
import { OpenApiFuzz, type Step } from './openapi-fuzz.js';
import { aBillingApp, type BillingApp } from '../billing/billing-app.js';
import { MailSink } from '../mail/mail-sink.js';
import { DataSource } from 'typeorm';

/** A service with sign-up, billing and mails, and its OpenAPI document. Every run has its own team. */
export class FuzzTarget {
  private constructor(
    private readonly app: BillingApp,
    private readonly mails: MailSink,
    private readonly document: OpenAPIObject,
    readonly fuzz: OpenApiFuzz,
  ) {}

  static async start(): Promise<FuzzTarget> {
    const mails = await MailSink.start();
    const app = await aBillingApp({
      SIGNUP: 'open',
      SIGNUP_PER_HOUR: '1000000',
      LOG_LEVEL: 'info',
      INVITE_SMTP_URL: mails.url,
      INVITE_FROM: 'rcpt@service.example',
    });
    const document = (await app.get('/openapi.json')).body as OpenAPIObject;
    return new FuzzTarget(app, mails, document, new OpenApiFuzz(document));
  }

  /** @returns the operations that succeeded. @throws at the first response that does not match the document. */
  async take(steps: readonly Step[]): Promise<ReadonlySet<string>> {
    const { liveKey, testKey } = await this.app.anAccount();
    // Mails are sent to confirmed addresses only.
    await this.app.service.app.get(DataSource).query('UPDATE users SET confirmed_at = now()');
    const keys = { owner: liveKey, test: testKey, nobody: null };
    const run = new FuzzRun(this.app.url, this.fuzz, this.document, keys);
    try {
      await run.take(steps);
    } finally {
      run.close();
    }
    return run.succeeded;
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await this.mails.close();
  }
}
