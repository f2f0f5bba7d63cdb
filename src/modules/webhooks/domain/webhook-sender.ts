import type { Outcome } from './delivery.js';

/** Port: posts to a receiver. */
export abstract class WebhookSender {
  /** Once, for at most 15 seconds. Never rejects: what went wrong is the outcome. */
  abstract post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Outcome>;
}
