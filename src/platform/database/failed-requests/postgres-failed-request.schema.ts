import { EntitySchema } from 'typeorm';
import type { StoredFailedRequest } from '../../../kernel/failed-requests.js';

export const FailedRequestSchema = new EntitySchema<StoredFailedRequest>({
  name: 'FailedRequest',
  tableName: 'failed_requests',
  columns: {
    id: { type: 'text', primary: true },
    at: { type: 'timestamptz' },
    teamId: { name: 'team_id', type: 'text' },
    keyId: { name: 'key_id', type: 'text' },
    requestId: { name: 'request_id', type: 'text' },
    method: { type: 'text' },
    route: { type: 'text', nullable: true },
    status: { type: 'smallint' },
    code: { type: 'text', nullable: true },
    durationMs: { name: 'duration_ms', type: 'integer' },
  },
});
