import type { Mode, TeamId } from '../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import type { Webhook, WebhookId } from './webhook.js';

/** Port: receivers. Their secrets are stored encrypted; those that cannot be opened any more are missing. */
export abstract class WebhookRepository {
  abstract add(webhook: Webhook): Promise<void>;

  /** Stores what may change, but for the secrets. */
  abstract save(webhook: Webhook): Promise<void>;
  abstract saveSecrets(webhook: Webhook): Promise<void>;

  /** Its deliveries go with it. */
  abstract remove(id: WebhookId): Promise<void>;

  abstract get(id: WebhookId): Promise<Webhook | null>;

  /** The same, and nobody else changes it before this unit of work ends. Comes before any delivery is held. */
  abstract lockForUpdate(id: WebhookId): Promise<Webhook | null>;

  /** Newest first. */
  abstract findByTeam(team: TeamId, page: PageRequest): Promise<Page<Webhook>>;

  /** From here to the end of the unit of work nobody else adds one to this team. */
  abstract acquireLock(team: TeamId): Promise<void>;
  abstract count(team: TeamId): Promise<number>;

  /** Those that are to hear of such an event; they stay for this unit of work. @param before were there when it happened. */
  abstract listening(team: TeamId, mode: Mode, type: string, before: Date): Promise<WebhookId[]>;
}
