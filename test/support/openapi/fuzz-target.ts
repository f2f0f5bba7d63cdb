import type { OpenAPIObject } from '@nestjs/swagger';
import { FuzzRun } from './fuzz-run.js';
import { OpenApiFuzz, type Step } from './openapi-fuzz.js';
import { aBillingApp, type BillingApp } from '../billing/billing-app.js';

/** A service with sign-up and billing, and its OpenAPI document. Every run has its own team. */
export class FuzzTarget {
  private constructor(
    private readonly app: BillingApp,
    private readonly document: OpenAPIObject,
    readonly fuzz: OpenApiFuzz,
  ) {}

  static async start(): Promise<FuzzTarget> {
    const app = await aBillingApp({ SIGNUP: 'open', SIGNUP_PER_HOUR: '1000000', LOG_LEVEL: 'info' });
    const document = (await app.get('/openapi.json')).body as OpenAPIObject;
    return new FuzzTarget(app, document, new OpenApiFuzz(document));
  }

  /** @returns the operations that succeeded. @throws at the first response that does not match the document. */
  async take(steps: readonly Step[]): Promise<ReadonlySet<string>> {
    const { liveKey, testKey } = await this.app.anAccount();
    const keys = { owner: liveKey, test: testKey, nobody: null };
    const run = new FuzzRun(this.app.url, this.fuzz, this.document, keys);
    try {
      await run.take(steps);
    } finally {
      run.close();
    }
    return run.succeeded;
  }

  stop(): Promise<void> {
    return this.app.stop();
  }
}
