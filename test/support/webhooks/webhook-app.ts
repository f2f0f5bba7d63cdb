import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type {
  DeliveriesPage,
  DeliveryResponse,
  NewWebhookResponse,
} from '../../../src/modules/events/webhooks/subscriptions/webhooks.dto.js';
import { DeliveryRepository } from '../../../src/modules/events/webhooks/domain/delivery.repository.js';
import { WebhooksProcessor } from '../../../src/modules/events/webhooks/deliveries/webhooks.processor.js';
import { anApp, type TestApp } from '../app/app.js';
import { workAll } from '../queue/team-work.js';
import { sweep } from '../database/growing-tables.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** Settings that allow receivers on this machine. */
export const OPENED = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };

export type TestWebhook = NewWebhookResponse & { secret: string };

/** The service without a worker. Tests dispatch events and send deliveries explicitly. */
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

  /** Requests a test delivery. */
  async aTest({ id }: { id: string }, { liveKey }: NewAccount): Promise<DeliveryResponse> {
    const answer = await this.app.post(`/v1/webhooks/${id}/test`, liveKey);
    if (answer.status !== 202) throw new Error(`no test: ${answer.text}`);
    return answer.body as DeliveryResponse;
  }

  async deliveries({ id }: { id: string }, { liveKey }: NewAccount): Promise<DeliveryResponse[]> {
    const answer = await this.app.get(`/v1/webhooks/${id}/deliveries?limit=100`, liveKey);
    return (answer.body as DeliveriesPage).data;
  }

  /** Dispatches the events in the outbox. */
  dispatchEvents(): Promise<number> {
    return this.app.dispatchEvents();
  }

  /** Sends due deliveries. @param app another process of the same service. */
  async send(app = this.app): Promise<void> {
    const { app: service } = app.service;
    const teams = () => service.get(DeliveryRepository).listWaitingTeams();
    await workAll(service.get(WebhooksProcessor), teams);
  }

  eraseOld(): Promise<number> {
    return sweep(this.app, 'delete old webhook deliveries');
  }

  async dispatchAndSend(): Promise<void> {
    await this.dispatchEvents();
    await this.send();
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await Promise.all(this.receivers.map((receiver) => receiver.stop()));
  }
}
