import { Injectable } from '@nestjs/common';
import { IsNull, LessThanOrEqual } from 'typeorm';
import { isId } from '../../../../kernel/ids.js';
import type { Mode, TeamId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import { keysetPage } from '../../../../platform/database/transactions/keyset-page.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import type { SigningSecret } from '../domain/signing-secret.js';
import { Webhook, type WebhookId } from '../domain/webhook.js';
import { WebhookRepository } from '../domain/webhook.repository.js';
import { openSecrets, sealSecrets, type SealedSecret } from './sealed-secrets.js';

@Injectable()
export class PostgresWebhookRepository extends WebhookRepository {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
  ) {
    super();
  }

  async add(webhook: Webhook): Promise<void> {
    await this.work.manager.insert(Webhook, { ...webhook, secrets: this.seal(webhook.secrets) });
  }

  async save({
    id,
    url,
    events,
    description,
    disabledReason,
    failingSince,
    hasSucceeded,
  }: Webhook): Promise<void> {
    await this.work.manager.update(
      Webhook,
      { id },
      { url, events, description, disabledReason, failingSince, hasSucceeded },
    );
  }

  async saveSecrets({ id, secrets }: Webhook): Promise<void> {
    await this.work.manager.update(Webhook, { id }, { secrets: this.seal(secrets) });
  }

  async delete(id: WebhookId): Promise<void> {
    await this.work.manager.delete(Webhook, { id });
  }

  async find(id: WebhookId): Promise<Webhook | null> {
    if (!isId('whk', id)) return null;
    return this.open(await this.work.manager.findOneBy(Webhook, { id }));
  }

  async findForUpdate(id: WebhookId): Promise<Webhook | null> {
    if (!isId('whk', id)) return null;
    return this.open(
      await this.select().where('webhook.id = :id', { id }).setLock('for_no_key_update').getOne(),
    );
  }

  list(teamId: TeamId, page: PageRequest): Promise<Page<Webhook>> {
    return keysetPage(this.select().where('webhook.teamId = :teamId', { teamId }), page);
  }

  count(teamId: TeamId): Promise<number> {
    return this.work.manager.countBy(Webhook, { teamId });
  }

  async listSubscribed(teamId: TeamId, mode: Mode, type: string, before: Date): Promise<WebhookId[]> {
    const found = await this.select()
      .select('webhook.id')
      .where({ teamId, mode, disabledReason: IsNull(), createdAt: LessThanOrEqual(before) })
      .andWhere('(webhook.events IS NULL OR webhook.events ? :type)', { type })
      .orderBy('webhook.id')
      .setLock('for_key_share')
      .getMany();
    return found.map(({ id }) => id);
  }

  private select() {
    return this.work.manager.createQueryBuilder(Webhook, 'webhook');
  }

  private open(stored: Webhook | null): Webhook | null {
    if (stored !== null)
      stored.secrets = openSecrets(this.keys, stored.secrets as unknown as readonly SealedSecret[]);
    return stored;
  }

  private seal(secrets: readonly SigningSecret[]): never {
    return sealSecrets(this.keys, secrets) as never;
  }
}
