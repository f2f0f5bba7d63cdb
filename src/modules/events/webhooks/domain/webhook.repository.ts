import type { Mode, TeamId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { Webhook, WebhookId } from './webhook.js';

/** Port: webhooks. Their secrets are stored encrypted; those that cannot be decrypted are left out. */
export abstract class WebhookRepository {
  abstract add(webhook: Webhook): Promise<void>;

  /** Stores the mutable fields except the secrets. */
  abstract save(webhook: Webhook): Promise<void>;
  abstract saveSecrets(webhook: Webhook): Promise<void>;

  /** Deletes it with its deliveries. */
  abstract delete(id: WebhookId): Promise<void>;

  abstract find(id: WebhookId): Promise<Webhook | null>;

  /** The same, locked until the unit of work ends. Must come before any delivery is locked. */
  abstract findForUpdate(id: WebhookId): Promise<Webhook | null>;

  /** Newest first. */
  abstract list(team: TeamId, page: PageRequest): Promise<Page<Webhook>>;

  abstract count(team: TeamId): Promise<number>;

  /**
   * The webhooks that subscribe to this event, locked against deletion until the unit of work ends.
   * @param before created before the event.
   */
  abstract listSubscribed(team: TeamId, mode: Mode, type: string, before: Date): Promise<WebhookId[]>;
}
