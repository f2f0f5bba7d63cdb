import type { NewAccount } from '../../src/modules/accounts/accounts.service.js';
import { DELIVERIES_QUEUE } from '../../src/modules/webhooks/webhook-queue.service.js';
import { WebhookMaintenanceService } from '../../src/modules/webhooks/webhook-maintenance.service.js';
import type {
  DeliveriesPage,
  DeliveryResponse,
  NewWebhookResponse,
} from '../../src/modules/webhooks/webhooks.dto.js';
import { QueueConsumers } from '../../src/platform/queue/queue-consumers.js';
import { anApp, type TestApp } from './app.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** What opens the machine's own receivers. */
export const OPENED = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };

export type TestWebhook = NewWebhookResponse & { secret: string };

/** The service without a worker, whose part a test plays: when something is told and sent, it decides. */
export class WebhookApp {
  private readonly receivers: WebhookReceiver[] = [];

  private constructor(readonly app: TestApp) {}

  static async start(env: Record<string, string> = {}): Promise<WebhookApp> {
    return new WebhookApp(await anApp({ ...OPENED, ...env }));
  }

  async aReceiver(): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.start();
    this.receivers.push(receiver);
    return receiver;
  }

  async aWebhook(key: string, url: string, more: object = {}): Promise<TestWebhook> {
    const answer = await this.app.post('/v1/webhooks', key).send({ url, ...more });
    if (answer.status !== 201) throw new Error(`no webhook: ${answer.text}`);
    return answer.body as TestWebhook;
  }

  /** A delivery that was ordered by hand. */
  async aTest({ id }: { id: string }, { liveKey }: NewAccount): Promise<DeliveryResponse> {
    const answer = await this.app.post(`/v1/webhooks/${id}/test`, liveKey);
    if (answer.status !== 202) throw new Error(`no test: ${answer.text}`);
    return answer.body as DeliveryResponse;
  }

  async deliveries({ id }: { id: string }, { liveKey }: NewAccount): Promise<DeliveryResponse[]> {
    const answer = await this.app.get(`/v1/webhooks/${id}/deliveries?limit=100`, liveKey);
    return (answer.body as DeliveriesPage).data;
  }

  /** What the outbox has is told to those who listen. */
  tell(): Promise<number> {
    return this.app.dispatchEvents();
  }

  /** What is due by now is sent, one after the other. @param app another process of the same service. */
  async send(app = this.app): Promise<void> {
    const handler = app.service.app.get(QueueConsumers).handlerOf(DELIVERIES_QUEUE);
    await handler({}, new AbortController().signal);
  }

  eraseOld(): Promise<number> {
    return this.app.service.app.get(WebhookMaintenanceService, { strict: false }).deleteOld();
  }

  async tellAndSend(): Promise<void> {
    await this.tell();
    await this.send();
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await Promise.all(this.receivers.map((receiver) => receiver.stop()));
  }
}
