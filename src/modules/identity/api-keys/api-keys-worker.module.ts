import { Module } from '@nestjs/common';
import { Outbox } from '../../../platform/database/outbox/outbox.js';
import { ApiKeysModule } from './api-keys.module.js';
import { ApiKeysService } from './api-keys.service.js';

@Module({ imports: [ApiKeysModule] })
export class ApiKeysWorkerModule {
  constructor(outbox: Outbox, keys: ApiKeysService) {
    outbox.subscribe('member.removed', ({ teamId, data, occurredAt }) =>
      keys.revokeOfMember(teamId, data.user_id, occurredAt),
    );
  }
}
