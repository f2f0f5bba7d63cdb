import { Module } from '@nestjs/common';
import { EventSubscribers } from '../../platform/database/outbox/event-subscribers.js';
import { ApiKeysModule } from './api-keys.module.js';
import { ApiKeysService } from './api-keys.service.js';

@Module({ imports: [ApiKeysModule] })
export class ApiKeysWorkerModule {
  constructor(events: EventSubscribers, keys: ApiKeysService) {
    events.subscribe('member.removed', ({ teamId, data, occurredAt }) =>
      keys.revokeOfMember(teamId, data.user_id, occurredAt),
    );
  }
}
