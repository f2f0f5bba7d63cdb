import type { Outcome } from './delivery.js';

export abstract class WebhookSender {
  /** Posts once, for at most 15 seconds. Never rejects: a failure is an outcome. */
  abstract post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Outcome>;
}
