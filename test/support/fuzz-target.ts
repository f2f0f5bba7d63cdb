import type { OpenAPIObject } from '@nestjs/swagger';
import { FuzzRun } from './fuzz-run.js';
import { OpenApiFuzz, type Step } from './openapi-fuzz.js';
import { aSellingApp, type SellingApp } from './selling-app.js';

/** A service where everything is open and for sale, and its document. Every run has a team of its own. */
export class FuzzTarget {
  private constructor(
    private readonly app: SellingApp,
    private readonly document: OpenAPIObject,
    readonly fuzz: OpenApiFuzz,
  ) {}

  static async start(): Promise<FuzzTarget> {
    const app = await aSellingApp({ SIGNUP: 'open', SIGNUP_PER_HOUR: '1000000', LOG_LEVEL: 'info' });
    const document = (await app.get('/openapi.json')).body as OpenAPIObject;
    return new FuzzTarget(app, document, new OpenApiFuzz(document));
  }

  /** @returns the operations that were met with success. @throws at the first answer that is not as promised. */
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
